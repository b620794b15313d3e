// Hits flash for a moment where they land, and tell their direction on wish.

import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Group,
  LineBasicMaterial,
  LineSegments,
  type Object3D,
  Sprite,
  SpriteMaterial,
} from "three";
import type { Column, Recording } from "../../data/recording";
import { after } from "../../data/sample";

const FLASH_S = 0.16;
const MAX_SPARKS = 4;
const MIDDLE_M = 0.65;
/** How far ahead a velocity is drawn, and how long a stick is, in seconds and metres. */
const AHEAD_S = 0.25;
const STICK_M = 1.2;
const FRAME_S = 1 / 60;

export class Sparks {
  readonly object = new Group();
  private readonly times_s: Float64Array;
  private readonly victims: number[];
  private readonly sprites: Sprite[] = [];

  constructor(recording: Recording) {
    const hits = recording.events.filter(({ kind, whom, who }) => kind === "hit" && (whom ?? who) !== null);
    this.times_s = Float64Array.from(hits, ({ time_s }) => time_s);
    this.victims = hits.map(({ whom, who }) => (whom ?? who) as number);
    for (let index = 0; index < MAX_SPARKS; index++) {
      const sprite = new Sprite(new SpriteMaterial({ map: star(), transparent: true, depthTest: false }));
      sprite.renderOrder = 8;
      sprite.visible = false;
      this.sprites.push(sprite);
      this.object.add(sprite);
    }
  }

  show(time_s: number, of: (entity: number) => Object3D | undefined): void {
    for (const sprite of this.sprites) sprite.visible = false;
    let used = 0;
    for (let index = after(this.times_s, time_s + 1e-6) - 1; index >= 0 && used < MAX_SPARKS; index--) {
      const age_s = time_s - (this.times_s[index] as number);
      if (age_s > FLASH_S) break;
      const victim = of(this.victims[index] as number);
      const sprite = this.sprites[used];
      if (!victim?.visible || !sprite) continue;
      used++;
      sprite.visible = true;
      sprite.position.set(victim.position.x, victim.position.y + MIDDLE_M, 0.6);
      const part = age_s / FLASH_S;
      sprite.scale.setScalar(0.9 + part * 1.1);
      sprite.material.opacity = 1 - part;
      sprite.material.rotation = index;
    }
  }
}

function star(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 96;
  const context = canvas.getContext("2d");
  if (context) {
    for (const [colour, reach] of [
      ["#ffb020", 46],
      ["#fff7d6", 32],
    ] as const) {
      context.fillStyle = colour;
      context.beginPath();
      for (let point = 0; point < 18; point++) {
        const radius = point % 2 === 0 ? reach : reach * 0.42;
        context.lineTo(48 + Math.cos((point * Math.PI) / 9) * radius, 48 + Math.sin((point * Math.PI) / 9) * radius);
      }
      context.fill();
    }
  }
  return new CanvasTexture(canvas);
}

/** Where somebody flies, and where the stick points meanwhile. */
export class Vectors {
  readonly lines: LineSegments;
  private readonly points = new BufferAttribute(new Float32Array(12), 3);

  constructor(
    private readonly position: Column,
    private readonly stick: [Column, Column],
    colour: string,
  ) {
    const colours = new BufferAttribute(new Float32Array([1, 1, 1, 1, 1, 1, 1, 0.78, 0.2, 1, 0.78, 0.2]), 3);
    const geometry = new BufferGeometry().setAttribute("position", this.points).setAttribute("color", colours);
    this.lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false }));
    this.lines.name = colour;
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 9;
    this.lines.visible = false;
  }

  show(time_s: number, isWanted: boolean): void {
    const before = isWanted ? [...(this.position.at(time_s - FRAME_S) ?? [])] : [];
    const now = isWanted ? this.position.at(time_s) : undefined;
    this.lines.visible = now !== undefined && before.length > 0;
    if (!now || before.length === 0) return;
    const [x, y] = [now[0] as number, (now[1] as number) + MIDDLE_M];
    const scale = AHEAD_S / FRAME_S;
    this.points.setXYZ(0, x, y, 0.7);
    this.points.setXYZ(
      1,
      x + ((now[0] as number) - (before[0] as number)) * scale,
      y + ((now[1] as number) - (before[1] as number)) * scale,
      0.7,
    );
    this.points.setXYZ(2, x, y, 0.7);
    this.points.setXYZ(
      3,
      x + (this.stick[0].number(time_s) ?? 0) * STICK_M,
      y + (this.stick[1].number(time_s) ?? 0) * STICK_M,
      0.7,
    );
    this.points.needsUpdate = true;
  }
}
