// Where something came from: a line through the last second.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Line, LineBasicMaterial } from "three";
import type { Column } from "../../data/recording";

/** How long a trail is, in seconds, and how many points it has. */
const TRAIL_S = 1;
const POINTS = 20;
/** A step farther than this, in metres, is no movement: it was put there. */
const JUMP_M = 5;

export class Trail {
  readonly line: Line;
  private readonly points = new BufferAttribute(new Float32Array(POINTS * 3), 3).setUsage(DynamicDrawUsage);

  constructor(
    private readonly position: Column,
    colour: string,
  ) {
    const geometry = new BufferGeometry().setAttribute("position", this.points);
    this.line = new Line(geometry, new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.45 }));
    this.line.frustumCulled = false;
  }

  show(time_s: number): void {
    let count = 0;
    let before: [number, number, number] | undefined;
    for (let index = 0; index < POINTS; index++) {
      const at = this.position.at(time_s - (TRAIL_S * index) / (POINTS - 1));
      if (!at) break;
      const here: [number, number, number] = [at[0] as number, at[1] as number, at[2] as number];
      if (before && Math.hypot(here[0] - before[0], here[1] - before[1], here[2] - before[2]) > JUMP_M) break;
      this.points.setXYZ(count++, ...here);
      before = here;
    }
    this.line.geometry.setDrawRange(0, count);
    this.points.needsUpdate = true;
  }
}
