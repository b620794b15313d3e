// Which scene a recording gets.

import type { Recording } from "../data/recording";
import type { People } from "../people";
import type { GameScene } from "../scene/game";
import { PlainScene } from "./plain";
import { RocketLeagueScene } from "./rocket-league/scene";
import { RumbleScene } from "./rumble/scene";
import { SatisfactoryScene } from "./satisfactory/scene";
import { SlippiScene } from "./slippi/scene";

export function sceneOf(recording: Recording, people: People): GameScene {
  switch (recording.outline.format) {
    case "rumble":
      return new RumbleScene(recording, people);
    case "rocket-league":
      return new RocketLeagueScene(recording, people);
    case "slippi":
      return new SlippiScene(recording, people);
    case "satisfactory":
    case "satisfactory-blueprint":
      return new SatisfactoryScene(recording, people);
    default:
      return new PlainScene(recording, people);
  }
}
