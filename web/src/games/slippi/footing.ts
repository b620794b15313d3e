// Ground of a stage that nobody has measured: wherever a character stood.

import { BoxGeometry, Group, Mesh, MeshLambertMaterial } from "three";
import type { Recording } from "../../data/recording";

/** How fine places are told apart, in metres. */
const ACROSS_M = 0.3;
const UP_M = 0.05;
const DEEP_M = 2.2;
const THICK_M = 0.16;
/** Stood on for fewer frames, it may have been a lift, an item, a player. */
const FEWEST_FRAMES = 6;

export class Footing {
  readonly object = new Group();
  private readonly counts = new Map<string, number>();
  private readonly seen = new Set<number>();
  private readonly material = new MeshLambertMaterial({ color: "#5d6b84" });

  constructor(
    private readonly recording: Recording,
    private readonly fighters: number[],
  ) {}

  /** Looks at the pieces that have come since; true when there is more ground than before. */
  look(): boolean {
    let isNew = false;
    for (let piece = 0; piece < this.recording.pieceCount; piece++) {
      if (this.seen.has(piece) || !this.recording.isLoaded(this.recording.start_s + piece * 20 + 0.01)) continue;
      this.seen.add(piece);
      isNew = true;
      for (const entity of this.fighters) this.take(piece, entity);
    }
    if (isNew) this.build();
    return isNew;
  }

  private take(piece: number, entity: number): void {
    const position = this.recording.pieceColumn(piece, entity, "position");
    const airborne = this.recording.pieceColumn(piece, entity, "airborne");
    if (!position || !airborne || position.times_s.length !== airborne.times_s.length) return;
    for (let index = 0; index < airborne.times_s.length; index++) {
      if (airborne.numbers[index] !== 0) continue;
      const key = `${Math.round((position.numbers[index * 3] as number) / ACROSS_M)},${Math.round((position.numbers[index * 3 + 1] as number) / UP_M)}`;
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
  }

  private build(): void {
    for (const child of this.object.children) if (child instanceof Mesh) child.geometry.dispose();
    this.object.clear();
    const rows = new Map<number, number[]>();
    for (const [key, count] of this.counts) {
      const [x, y] = key.split(",").map(Number) as [number, number];
      if (count >= FEWEST_FRAMES) rows.set(y, [...(rows.get(y) ?? []), x]);
    }
    for (const [y, xs] of rows) {
      xs.sort((a, b) => a - b);
      let start = xs[0] as number;
      for (const [index, x] of xs.entries()) {
        const next = xs[index + 1];
        if (next !== undefined && next - x <= 3) continue;
        const width = (x - start + 1) * ACROSS_M;
        const slab = new Mesh(new BoxGeometry(width, THICK_M, DEEP_M), this.material);
        slab.position.set(((start + x) / 2) * ACROSS_M, y * UP_M - THICK_M / 2, 0);
        this.object.add(slab);
        start = next ?? x;
      }
    }
  }
}
