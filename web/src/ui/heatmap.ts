// Where things were: positions counted on a grid, seen from above (or from the side, where the game is flat), and where
// they are at the playhead.

import { playerColour } from "../colours";
import type { Overview, Series } from "../data/overview";
import type { Recording } from "../data/recording";
import { el } from "../dom";
import type { MapPlane } from "../scene/game";

const CELLS = 64;
const CELL_PX = 8;
/** More marks than this hide the map. */
const MOST_MARKS = 20;

export class HeatmapPanel {
  readonly element = el("div", { class: "panel heat" });
  private readonly canvas = el("canvas", { class: "heatmap", role: "img", "aria-label": "Heat map of positions", width: CELLS * CELL_PX, height: CELLS * CELL_PX });
  private readonly choice: HTMLSelectElement;
  private readonly picture = document.createElement("canvas");
  private chosen: Series[] = [];
  private time_s: number;
  /** The least coordinates on the map, and how much of the world it shows. */
  private frame = { x: 0, y: 0, size: 1 };

  constructor(private readonly recording: Recording, private readonly overview: Overview, private readonly plane: MapPlane) {
    this.time_s = recording.start_s;
    const kinds = [...new Set(overview.positions.map(({ entity }) => recording.entity(entity)?.kind ?? ""))];
    const options = [
      ...kinds.map((kind) => el("option", { value: `kind:${kind}` }, `all: ${kind}`)),
      ...overview.positions.slice(0, 40).map(({ entity }) => el("option", { value: `id:${entity}` }, recording.entity(entity)?.name ?? "")),
    ];
    this.choice = el("select", { "aria-label": "Whose positions", change: () => this.draw() }, ...options);
    const best = ["car", "head", "player"].find((kind) => kinds.includes(kind));
    if (best) this.choice.value = `kind:${best}`;
    this.picture.width = this.picture.height = CELLS * CELL_PX;
    this.element.append(this.choice, this.canvas, el("p", { class: "note" }, "Brighter is longer, over the whole recording. Rings: where they are now."));
    this.draw();
  }

  /** Marks where everybody is at a time. */
  showTime(time_s: number): void {
    this.time_s = time_s;
    if (this.element.isConnected) this.mark();
  }

  private draw(): void {
    const [what, which] = this.choice.value.split(/:(.*)/);
    this.chosen = this.overview.positions.filter(({ entity }) => (what === "id" ? String(entity) === which : this.recording.entity(entity)?.kind === which));
    this.frame = this.bounds();
    const counts = new Float32Array(CELLS * CELLS);
    for (const { values } of this.chosen) {
      for (let at = 0; at < values.length; at += 3) {
        const [x, y] = this.onMap(values, at);
        if (!Number.isFinite(x)) continue;
        const index = Math.floor(y / CELL_PX) * CELLS + Math.floor(x / CELL_PX);
        counts[index] = (counts[index] ?? 0) + 1;
      }
    }
    const most = Math.log1p(counts.reduce((a, b) => Math.max(a, b), 1));
    const context = this.picture.getContext("2d") as CanvasRenderingContext2D;
    context.fillStyle = "#0b1017";
    context.fillRect(0, 0, CELLS * CELL_PX, CELLS * CELL_PX);
    for (const [index, count] of counts.entries()) {
      if (count === 0) continue;
      const heat = Math.log1p(count) / most;
      context.fillStyle = `hsl(${Math.round(250 - 210 * heat)} 90% ${Math.round(22 + 45 * heat)}%)`;
      context.fillRect((index % CELLS) * CELL_PX, Math.floor(index / CELLS) * CELL_PX, CELL_PX, CELL_PX);
    }
    this.mark();
  }

  private mark(): void {
    const context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
    context.drawImage(this.picture, 0, 0);
    const { start_s, end_s } = this.recording;
    const part = (this.time_s - start_s) / Math.max(1e-6, end_s - start_s);
    const moment = Math.round(part * (this.overview.times_s.length - 1));
    for (const [index, { values }] of this.chosen.slice(0, MOST_MARKS).entries()) {
      const [x, y] = this.onMap(values, moment * 3);
      if (!Number.isFinite(x)) continue;
      context.beginPath();
      context.arc(x, y, 7, 0, 2 * Math.PI);
      context.lineWidth = 5;
      context.strokeStyle = "#ffffff";
      context.stroke();
      context.lineWidth = 2.5;
      context.strokeStyle = playerColour(index);
      context.stroke();
    }
  }

  /** What all positions are within, as a square. */
  private bounds(): { x: number; y: number; size: number } {
    const { right, up } = this.plane;
    const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (const { values } of this.overview.positions) {
      for (const [at, value] of values.entries()) {
        if (!Number.isFinite(value)) continue;
        const axis = at % 3;
        low[axis] = Math.min(low[axis] as number, value);
        high[axis] = Math.max(high[axis] as number, value);
      }
    }
    const [left, rightmost, bottom, top] = [low[right] as number, high[right] as number, low[up] as number, high[up] as number];
    const size = Math.max(rightmost - left, top - bottom, 1e-3) * 1.05;
    return { x: (left + rightmost - size) / 2, y: (bottom + top - size) / 2, size };
  }

  /** A position in pixels of the map. */
  private onMap(values: Float32Array, at: number): [number, number] {
    const { right, up, flipUp } = this.plane;
    const { x, y, size } = this.frame;
    const scale = (CELLS * CELL_PX) / size;
    const height = ((values[at + up] as number) - y) * scale;
    return [((values[at + right] as number) - x) * scale, flipUp ? height : CELLS * CELL_PX - 1e-3 - height];
  }
}
