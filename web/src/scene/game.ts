// What a game's scene offers the player.

import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Group, type PerspectiveCamera, Vector3 } from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Entity, Recording } from "../data/recording";
import type { People } from "../people";
import type { Gap } from "../player";
import { Actor } from "./actor";
import type { HudState } from "./hud";
import type { Backdrop } from "./sky";

export interface CameraMode {
  id: string;
  label: string;
  /** Moves the camera; none for the free one, which the person moves. `passed_s` has passed since the last picture. */
  move?: (camera: PerspectiveCamera, time_s: number, passed_s: number) => void;
  /** Sets up a camera that the person moves; it saw so many metres above and below what it looked at. */
  enter?: (camera: PerspectiveCamera, controls: OrbitControls, seen_m: number) => void;
  /** How wide the camera opens, in degrees from top to bottom; narrow ones flatten what they see. */
  fov_deg?: number;
}

export interface Home {
  position: [number, number, number];
  target: [number, number, number];
}

/** Which two axes a map of positions has, and which way they go. */
export interface MapPlane {
  right: 0 | 1 | 2;
  up: 0 | 1 | 2;
  flipUp: boolean;
}

/** What this game lets one choose beside the camera. */
export type Tool =
  | { label: string; value: Signal<string>; options: [value: string, label: string][] }
  | { label: string; value: Signal<boolean> };

/** A tab beside the scene. */
export interface Panel {
  id: string;
  label: string;
  render: () => ComponentChildren;
}

/** A stretch that is worth watching. */
export interface Clip {
  from_s: number;
  to_s: number;
  label: string;
  detail: string;
  colour: string;
  /** Decides the game: a goal, a kill. */
  decides?: boolean;
}

export abstract class GameScene {
  readonly root = new Group();
  readonly actors: Actor[] = [];
  abstract readonly home: Home;
  readonly plane: MapPlane = { right: 0, up: 2, flipUp: true };
  cameras: CameraMode[] = [{ id: "free", label: "Free camera" }];
  /** The camera at the beginning. */
  firstCamera = "free";
  /** The camera that is at home. */
  homeCamera = "free";
  readonly tools: Tool[] = [];
  panels: Panel[] = [];
  /** A line about what is drawn only roughly, and why. */
  readonly notice = signal("");
  /** The light behind everything, and the fog. */
  background: { dark: Backdrop; light: Backdrop } = { dark: "#10151d", light: "#dfe6ee" };
  /** Asks for a new picture though the time has not changed. */
  redraw: () => void = () => {};

  constructor(
    protected readonly recording: Recording,
    protected readonly people: People,
  ) {}

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

  /** Just before a picture is drawn: what depends on the camera. */
  beforeDrawing(_camera: PerspectiveCamera, _width: number, _height: number): void {}

  /** What stands over the scene at a time; none where there is nothing to tell. */
  hudAt(_time_s: number): HudState | undefined {
    return undefined;
  }

  /** What happens in it that is worth watching. */
  clips(): Clip[] {
    return [];
  }

  /** What can be left out while playing. */
  gaps(): Gap[] {
    return [];
  }

  /** What a map of positions is drawn on: lines in the plane of the map. */
  outlines(): [number, number][][] {
    return [];
  }

  /** Faster than this, in metres a second, nothing of a kind moves: it was put there. */
  topSpeed_m_s(_kind: string): number {
    return Number.POSITIVE_INFINITY;
  }

  /** The page is dark or light now. */
  themeChanged(_theme: "dark" | "light"): void {}

  /** Another camera was chosen. */
  cameraChanged(_id: string): void {}

  /** A click on the picture, as a ray from the camera. */
  pick(_camera: PerspectiveCamera, _x: number, _y: number): void {}

  /** Everything that has a place in the scene when it is there, by id. */
  shown(): number[] {
    return this.actors.map(({ entity }) => entity.id);
  }

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
