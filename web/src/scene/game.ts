// What a game's scene offers the player.

import { Group, type PerspectiveCamera, Vector3 } from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Entity, Recording } from "../data/recording";
import { Actor } from "./actor";

export interface CameraMode {
  id: string;
  label: string;
  /** Moves the camera; none for the free one, which the person moves. */
  move?: (camera: PerspectiveCamera, time_s: number) => void;
  /** Sets up a camera that the person moves. */
  enter?: (camera: PerspectiveCamera, controls: OrbitControls) => void;
}

export interface Home { position: [number, number, number]; target: [number, number, number] }

/** Which two axes a map of positions has, and which way they go. */
export interface MapPlane { right: 0 | 1 | 2; up: 0 | 1 | 2; flipUp: boolean }

export abstract class GameScene {
  readonly root = new Group();
  readonly actors: Actor[] = [];
  abstract readonly home: Home;
  readonly plane: MapPlane = { right: 0, up: 2, flipUp: true };
  cameras: CameraMode[] = [{ id: "free", label: "Free" }];
  /** Drawn over the scene. */
  readonly hud: HTMLElement = document.createElement("div");
  /** Beside the choice of camera: what this game lets one choose. */
  readonly tools: HTMLElement[] = [];
  /** More tabs beside the scene. */
  panels: { id: string; label: string; element: HTMLElement }[] = [];
  /** Asks for a new picture though the time has not changed. */
  redraw: () => void = () => {};

  constructor(protected readonly recording: Recording) {
    this.hud.className = "hud";
  }

  protected add(entity: Entity, object: Actor["object"], hidesInactive = false): Actor {
    const actor = new Actor(this.recording, entity, object, hidesInactive);
    this.actors.push(actor);
    this.root.add(object);
    return actor;
  }

  /** Shows a moment. */
  update(time_s: number): void {
    for (const actor of this.actors) actor.place(time_s);
  }

  /** Another camera was chosen. */
  cameraChanged(_id: string): void {}

  /** A click on the picture, as a ray from the camera. */
  pick(_camera: PerspectiveCamera, _x: number, _y: number): void {}

  /** Everything that has a place in the scene when it is there, by id. */
  shown(): number[] { return this.actors.map(({ entity }) => entity.id); }

  /** Where everything in the scene is, by id: what the tests compare with the library. */
  positions(): Record<number, [number, number, number]> {
    const all: Record<number, [number, number, number]> = {};
    const at = new Vector3();
    for (const { entity, object } of this.actors) {
      if (!object.visible) continue;
      object.getWorldPosition(at);
      all[entity.id] = [at.x, at.y, at.z];
    }
    return all;
  }
}
