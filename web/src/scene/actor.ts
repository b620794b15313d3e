// Things in the scene that are where the recording says.

import { CanvasTexture, Group, Mesh, type Object3D, Sprite, SpriteMaterial } from "three";
import type { Column, Entity, Recording } from "../data/recording";

export class Actor {
  readonly object: Object3D;
  private readonly position: Column;
  private readonly rotation: Column;
  private readonly active: Column | undefined;

  /** `hidesInactive`: what the recording calls inactive is hidden, because it is broken or waits to be used. */
  constructor(recording: Recording, readonly entity: Entity, object: Object3D, hidesInactive = false) {
    this.object = object;
    this.position = recording.column(entity.id, "position");
    this.rotation = recording.column(entity.id, "rotation");
    this.active = hidesInactive ? recording.column(entity.id, "active") : undefined;
    object.name = entity.name;
    object.visible = false;
  }

  /** Puts it where it is at a time; absent things are hidden, never at the origin. */
  place(time_s: number): boolean {
    const position = this.active?.number(time_s) === 0 ? undefined : this.position.at(time_s);
    this.object.visible = position !== undefined;
    if (!position) return false;
    this.object.position.set(position[0] as number, position[1] as number, position[2] as number);
    const rotation = this.rotation.at(time_s);
    if (rotation) this.object.quaternion.set(rotation[0] as number, rotation[1] as number, rotation[2] as number, rotation[3] as number);
    return true;
  }
}

/** How high a name is, in parts of the distance to it: near or far, it is as large on the screen. */
const LABEL_HEIGHT = 0.034;

/** A name that always faces the camera. Drawn once as a picture: text, whatever it says. */
export function label(text: string, colour: string): Sprite {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  const font = "600 44px system-ui, sans-serif";
  context.font = font;
  const shown = text.length > 24 ? `${text.slice(0, 23)}…` : text;
  canvas.width = Math.ceil(context.measureText(shown).width) + 32;
  canvas.height = 64;
  context.font = font;
  context.fillStyle = "rgba(10, 14, 20, 0.72)";
  context.beginPath();
  context.roundRect(0, 0, canvas.width, canvas.height, 14);
  context.fill();
  context.fillStyle = colour;
  context.textBaseline = "middle";
  context.fillText(shown, 16, 34);
  const sprite = new Sprite(new SpriteMaterial({ map: new CanvasTexture(canvas), depthTest: false, transparent: true, sizeAttenuation: false }));
  sprite.scale.set((LABEL_HEIGHT * canvas.width) / canvas.height, LABEL_HEIGHT, 1);
  sprite.renderOrder = 10;
  return sprite;
}

/** Frees what the graphics card holds for everything below an object. */
export function dispose(root: Object3D): void {
  root.traverse((object) => {
    if (object instanceof Mesh) {
      object.geometry.dispose();
      for (const material of [object.material].flat()) material.dispose();
    } else if (object instanceof Sprite) {
      object.material.map?.dispose();
      object.material.dispose();
    }
  });
}

/** For what never moves: its matrices are made once, not in every frame. */
export function still<T extends Object3D>(root: T): T {
  root.traverse((object) => {
    object.updateMatrix();
    object.matrixAutoUpdate = false;
  });
  return root;
}

/** A group with children. */
export function group(...children: Object3D[]): Group {
  const made = new Group();
  if (children.length > 0) made.add(...children);
  return made;
}
