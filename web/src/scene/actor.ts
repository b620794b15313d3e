// Things in the scene that are where the recording says.

import { Group, Line, Mesh, type Object3D, Sprite } from "three";
import type { Column, Entity, Recording } from "../data/recording";

export class Actor {
  readonly object: Object3D;
  private readonly position: Column;
  private readonly rotation: Column;
  private readonly active: Column | undefined;

  /** `hidesInactive`: what the recording calls inactive is hidden, because it is broken or waits to be used. */
  constructor(
    recording: Recording,
    readonly entity: Entity,
    object: Object3D,
    hidesInactive = false,
  ) {
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
    if (rotation)
      this.object.quaternion.set(
        rotation[0] as number,
        rotation[1] as number,
        rotation[2] as number,
        rotation[3] as number,
      );
    return true;
  }
}

/** Frees what the graphics card holds for everything below an object. */
export function dispose(root: Object3D): void {
  root.traverse((object) => {
    if (object instanceof Mesh || object instanceof Line) {
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
