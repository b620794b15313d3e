// Any recording: everything that has a position, as a box with a name. What a game has no scene for is still shown.

import { BoxGeometry, GridHelper, Mesh, MeshStandardMaterial } from "three";
import { wordColour } from "../colours";
import type { Entity, Recording } from "../data/recording";
import { group, label } from "../scene/actor";
import { GameScene, type Home } from "../scene/game";

/** Names are shown for so many entities at most. */
const MOST_LABELS = 60;
/** More boxes than this would be drawn one by one for too long. */
const MOST_BOXES = 2000;

export class PlainScene extends GameScene {
  readonly home: Home = { position: [20, 20, 30], target: [0, 0, 0] };

  constructor(recording: Recording) {
    super(recording);
    this.root.add(new GridHelper(100, 50, 0x556070, 0x39424f));
    const { entities } = recording;
    for (let index = 0; index < Math.min(entities.count, MOST_BOXES); index++) {
      const entity = entities.get(index) as Entity;
      const colour = wordColour(entity.kind);
      const box = new Mesh(new BoxGeometry(0.6, 0.6, 0.6), new MeshStandardMaterial({ color: colour }));
      const object = group(box);
      if (index < MOST_LABELS) {
        const name = label(entity.name, colour);
        name.position.y = 1;
        object.add(name);
      }
      this.add(entity, object);
    }
  }
}
