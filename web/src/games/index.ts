// Which scene a recording gets.

import type { Recording } from "../data/recording";
import type { GameScene } from "../scene/game";
import { PlainScene } from "./plain";
import { RumbleScene } from "./rumble";

export function sceneOf(recording: Recording): GameScene {
  switch (recording.outline.format) {
    case "rumble": return new RumbleScene(recording);
    default: return new PlainScene(recording);
  }
}
