// Drawing a map of positions: the field's lines, heat, shots, and rings where everybody is.

import type { Overview, Series } from "../../data/overview";
import type { Viewer } from "../viewer/session";

export type MapChoice = { what: "shots" } | { what: "kind"; kind: string } | { what: "person"; id: number };

export interface Shot {
  time_s: number;
  isGoal: boolean;
  colour: string;
  at: [number, number, number];
}

/** A goal follows its shot at once: they are one. */
const SAME_S = 4;
/** Cells along the longer side. */
const CELLS = 54;
/** How often neighbours share: single visits are no pattern. */
const BLURS = 2;
/** More rings than this hide the map. */
const MAX_RINGS = 12;
const MARGIN = 1.06;

/** Shots and goals whose place is told. */
export function shotsOf({ recording, people }: Viewer): Shot[] {
  const goals = recording.events.filter(({ kind }) => kind === "goal");
  return recording.events.flatMap(({ kind, time_s, who, position }) => {
    if (kind !== "shot" || !position) return [];
    const isGoal = goals.some(
      (goal) => goal.who === who && goal.time_s >= time_s - 0.1 && goal.time_s - time_s < SAME_S,
    );
    return [{ time_s, isGoal, colour: people.colourOf(who), at: position }];
  });
}

export class FieldMap {
  private readonly context: CanvasRenderingContext2D | null;
  private readonly background = document.createElement("canvas");
  private readonly series: Series[];
  private readonly shots: Shot[];
  private readonly frame: { x: number; y: number; width: number; height: number };
  private readonly scale: number;
  private readonly colours: { line: string; ring: string };

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly viewer: Viewer,
    private readonly overview: Overview,
    choice: MapChoice,
  ) {
    const { recording, people } = viewer;
    this.series = overview.positions.filter(({ entity }) => {
      if (choice.what === "shots") return false;
      const kind = recording.entities.kind(entity);
      return choice.what === "kind"
        ? kind === choice.kind
        : people.of(entity)?.id === choice.id && ["car", "head", "player"].includes(kind);
    });
    this.shots = choice.what === "shots" ? shotsOf(viewer) : [];
    this.frame = this.bounds();
    const width = Math.max(1, canvas.parentElement?.clientWidth ?? 1);
    const height = Math.min(640, (width * this.frame.height) / this.frame.width);
    canvas.style.height = `${height}px`;
    canvas.width = this.background.width = Math.round(width * devicePixelRatio);
    canvas.height = this.background.height = Math.round(height * devicePixelRatio);
    this.scale = Math.min(canvas.width / this.frame.width, canvas.height / this.frame.height);
    const style = getComputedStyle(canvas);
    this.colours = { line: style.getPropertyValue("--dim"), ring: style.getPropertyValue("--text") };
    this.context = canvas.getContext("2d");
    const context = this.background.getContext("2d");
    if (context) this.paint(context);
  }

  private paint(context: CanvasRenderingContext2D): void {
    if (this.series.length > 0) this.heat(context);
    context.strokeStyle = this.colours.line;
    context.lineWidth = 1.5 * devicePixelRatio;
    for (const line of this.viewer.game.outlines()) {
      context.beginPath();
      for (const [right, up] of line) {
        const [x, y] = this.toPixels(right, up);
        context.lineTo(x, y);
      }
      context.stroke();
    }
    for (const shot of this.shots) {
      const [x, y] = this.place(shot.at, 0);
      context.beginPath();
      context.arc(x, y, (shot.isGoal ? 6 : 5) * devicePixelRatio, 0, 2 * Math.PI);
      context.fillStyle = context.strokeStyle = shot.colour;
      context.lineWidth = 2 * devicePixelRatio;
      if (shot.isGoal) context.fill();
      context.stroke();
    }
  }

  private heat(context: CanvasRenderingContext2D): void {
    const { width, height } = this.background;
    const size = Math.max(width, height) / CELLS;
    const across = Math.ceil(width / size);
    const down = Math.ceil(height / size);
    let counts = new Float32Array(across * down);
    for (const { values } of this.series) {
      for (let at = 0; at < values.length; at += 3) {
        const [x, y] = this.place(values, at);
        const index = Math.floor(y / size) * across + Math.floor(x / size);
        if (Number.isFinite(x) && index >= 0 && index < counts.length) counts[index] = (counts[index] as number) + 1;
      }
    }
    for (let pass = 0; pass < BLURS; pass++) counts = blurred(counts, across);
    const most = Math.log1p(counts.reduce((a, b) => Math.max(a, b), 1));
    // One pixel a cell, drawn large and soft.
    const small = document.createElement("canvas");
    small.width = across;
    small.height = down;
    const own = small.getContext("2d");
    // A panel that is not laid out yet has no room.
    if (!own || across * down === 0) return;
    for (const [index, count] of counts.entries()) {
      const heat = Math.log1p(count) / most;
      if (heat < 0.04) continue;
      own.fillStyle = `hsla(${Math.round(215 - 185 * heat)}, 85%, 54%, ${(0.9 * heat ** 1.5).toFixed(2)})`;
      own.fillRect(index % across, Math.floor(index / across), 1, 1);
    }
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = "high";
    context.drawImage(small, 0, 0, across * size, down * size);
  }

  /** Draws what is there, and rings where everybody is at a time. */
  show(time_s: number): void {
    const { context } = this;
    if (!context || !this.canvas.isConnected) return;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.background, 0, 0);
    const { start_s, end_s } = this.viewer.recording;
    const part = (time_s - start_s) / Math.max(1e-6, end_s - start_s);
    const moment = Math.round(part * (this.overview.times_s.length - 1));
    for (const { entity, values } of this.series.slice(0, MAX_RINGS)) {
      const [x, y] = this.place(values, moment * 3);
      if (!Number.isFinite(x)) continue;
      for (const [colour, width] of [
        [this.colours.ring, 5],
        [this.viewer.people.colourOf(entity), 3],
      ] as const) {
        context.beginPath();
        context.arc(x, y, 6 * devicePixelRatio, 0, 2 * Math.PI);
        context.lineWidth = width * devicePixelRatio;
        context.strokeStyle = colour;
        context.stroke();
      }
    }
  }

  /** When the shot under a point was. */
  pick(x: number, y: number): number | undefined {
    const far = ({ at }: Shot) => {
      const [px, py] = this.place(at, 0);
      return Math.hypot(px / devicePixelRatio - x, py / devicePixelRatio - y);
    };
    const best = [...this.shots].sort((a, b) => far(a) - far(b))[0];
    return best && far(best) < 14 ? best.time_s : undefined;
  }

  /** What the field's lines are within; without any, all positions. */
  private bounds(): { x: number; y: number; width: number; height: number } {
    const { right, up } = this.viewer.game.plane;
    let [left, rightmost, low, high] = [
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ];
    const add = (x: number, y: number) => {
      if (!Number.isFinite(x) || !Number.isFinite(y)) return;
      [left, rightmost, low, high] = [Math.min(left, x), Math.max(rightmost, x), Math.min(low, y), Math.max(high, y)];
    };
    const lines = this.viewer.game.outlines();
    for (const line of lines) for (const [x, y] of line) add(x, y);
    if (lines.length === 0) {
      for (const { values } of this.overview.positions)
        for (let at = 0; at < values.length; at += 3) add(values[at + right] as number, values[at + up] as number);
    }
    if (left > rightmost) [left, rightmost, low, high] = [-1, 1, -1, 1];
    const [width, height] = [Math.max(1e-3, rightmost - left) * MARGIN, Math.max(1e-3, high - low) * MARGIN];
    return { x: (left + rightmost - width) / 2, y: (low + high - height) / 2, width, height };
  }

  private toPixels(right: number, up: number): [number, number] {
    const { x, y } = this.frame;
    const height = (up - y) * this.scale;
    return [(right - x) * this.scale, this.viewer.game.plane.flipUp ? height : this.canvas.height - height];
  }

  private place(values: ArrayLike<number>, at: number): [number, number] {
    const { right, up } = this.viewer.game.plane;
    return this.toPixels(values[at + right] as number, values[at + up] as number);
  }
}

/** Every cell as the mean of itself and its neighbours. */
function blurred(counts: Float32Array<ArrayBuffer>, across: number): Float32Array<ArrayBuffer> {
  const down = counts.length / across;
  return counts.map((own, index) => {
    const [column, row] = [index % across, Math.floor(index / across)];
    let [sum, weight] = [own * 4, 4];
    for (const [dx, dy] of [
      [-1, 0],
      [1, 0],
      [0, -1],
      [0, 1],
    ] as const) {
      const [x, y] = [column + dx, row + dy];
      if (x < 0 || y < 0 || x >= across || y >= down) continue;
      sum += counts[y * across + x] as number;
      weight++;
    }
    return sum / weight;
  });
}
