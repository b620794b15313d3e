// Which scene a recording gets.

import type { Recording } from "../data/recording";
import type { GameScene } from "../scene/game";
import { PlainScene } from "./plain";
import { RocketLeagueScene } from "./rocket-league";
import { RumbleScene } from "./rumble";
import { SatisfactoryScene } from "./satisfactory";
import { SlippiScene } from "./slippi";

export function sceneOf(recording: Recording): GameScene {
  switch (recording.outline.format) {
    case "rumble": return new RumbleScene(recording);
    case "rocket-league": case "rocket_league": return new RocketLeagueScene(recording);
    case "slippi": return new SlippiScene(recording);
    case "satisfactory": case "satisfactory-blueprint": case "satisfactory_blueprint": return new SatisfactoryScene(recording);
    default: return new PlainScene(recording);
  }
}
