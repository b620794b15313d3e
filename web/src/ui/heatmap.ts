// Where things were: positions counted on a grid, seen from above (or from the side, where the game is flat).

import type { Overview } from "../data/overview";
import type { Recording } from "../data/recording";
import { el } from "../dom";
import type { MapPlane } from "../scene/game";

const CELLS = 64;

export class HeatmapPanel {
  readonly element = el("div", { class: "panel heat" });
  private readonly canvas = el("canvas", { class: "heatmap", role: "img", "aria-label": "Heat map of positions", width: CELLS * 8, height: CELLS * 8 });
  private readonly choice: HTMLSelectElement;

  constructor(private readonly recording: Recording, private readonly overview: Overview, private readonly plane: MapPlane) {
    const kinds = [...new Set(overview.positions.map(({ entity }) => recording.entity(entity)?.kind ?? ""))];
    const options = [
      ...kinds.map((kind) => el("option", { value: `kind:${kind}` }, `all: ${kind}`)),
      ...overview.positions.slice(0, 40).map(({ entity }) => el("option", { value: `id:${entity}` }, recording.entity(entity)?.name ?? "")),
    ];
    this.choice = el("select", { "aria-label": "Whose positions", change: () => this.draw() }, ...options);
    const best = ["car", "head", "player"].find((kind) => kinds.includes(kind));
    if (best) this.choice.value = `kind:${best}`;
    this.element.append(this.choice, this.canvas, el("p", { class: "note" }, "Brighter is longer. The whole recording."));
    this.draw();
  }

  private draw(): void {
    const [what, which] = this.choice.value.split(/:(.*)/);
    const chosen = this.overview.positions.filter(({ entity }) => (what === "id" ? String(entity) === which : this.recording.entity(entity)?.kind === which));
    const { right, up, flipUp } = this.plane;
    const all = this.overview.positions.flatMap(({ values }) => [...values]);
    const bounds = (axis: number) => {
      let [low, high] = [Infinity, -Infinity];
      for (let at = axis; at < all.length; at += 3) if (Number.isFinite(all[at])) [low, high] = [Math.min(low, all[at] as number), Math.max(high, all[at] as number)];
      return [low, high] as const;
    };
    const [[left, rightmost], [bottom, top]] = [bounds(right), bounds(up)];
    const size = Math.max(rightmost - left, top - bottom, 1e-3) * 1.05;
    const [x0, y0] = [(left + rightmost - size) / 2, (bottom + top - size) / 2];
    const counts = new Float32Array(CELLS * CELLS);
    for (const { values } of chosen) {
      for (let at = 0; at < values.length; at += 3) {
        const [x, y] = [values[at + right] as number, values[at + up] as number];
        if (!Number.isFinite(x)) continue;
        const column = Math.floor(((x - x0) / size) * CELLS);
        const row = Math.floor(((y - y0) / size) * CELLS);
        const index = (flipUp ? row : CELLS - 1 - row) * CELLS + column;
        counts[index] = (counts[index] ?? 0) + 1;
      }
    }
    const most = Math.log1p(counts.reduce((a, b) => Math.max(a, b), 1));
    const context = this.canvas.getContext("2d");
    if (!context) return;
    context.fillStyle = "#0b1017";
    context.fillRect(0, 0, CELLS * 8, CELLS * 8);
    for (const [index, count] of counts.entries()) {
      if (count === 0) continue;
      const heat = Math.log1p(count) / most;
      context.fillStyle = `hsl(${Math.round(250 - 210 * heat)} 90% ${Math.round(22 + 45 * heat)}%)`;
      context.fillRect((index % CELLS) * 8, Math.floor(index / CELLS) * 8, 8, 8);
    }
  }
}
