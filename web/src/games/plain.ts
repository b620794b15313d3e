// Any recording: everything that has a position, as a box with a name. What a game has no scene for is still shown.

import { BoxGeometry, GridHelper, Mesh, MeshStandardMaterial, type PerspectiveCamera } from "three";
import { wordColour } from "../colours";
import type { Entity, Recording } from "../data/recording";
import type { People } from "../people";
import { group } from "../scene/actor";
import { GameScene, type Home } from "../scene/game";
import { Plates } from "../scene/plates";

/** Names are shown for so many entities at most. */
const MAX_LABELS = 60;
/** More boxes than this would be drawn one by one for too long. */
const MAX_BOXES = 2000;

export class PlainScene extends GameScene {
  readonly home: Home = { position: [20, 20, 30], target: [0, 0, 0] };
  private readonly plates = new Plates(this.root);

  constructor(recording: Recording, people: People) {
    super(recording, people);
    this.root.add(new GridHelper(100, 50, 0x556070, 0x39424f));
    const { entities, outline } = recording;
    if (entities.count === 0) {
      this.notice.value = /config/.test(outline.format)
        ? "This file holds a blueprint's description and icon. What it builds is in the file beside it that ends in .sbp."
        : "Nothing in this recording has a place.";
    }
    for (let index = 0; index < Math.min(entities.count, MAX_BOXES); index++) {
      const entity = entities.get(index) as Entity;
      const colour = wordColour(entity.kind);
      const object = group(new Mesh(new BoxGeometry(0.6, 0.6, 0.6), new MeshStandardMaterial({ color: colour })));
      if (index < MAX_LABELS) this.plates.add(entity.name, colour, object, 1);
      this.add(entity, object);
    }
  }

  override beforeDrawing(camera: PerspectiveCamera, width: number, height: number): void {
    this.plates.arrange(camera, width, height);
  }
}
