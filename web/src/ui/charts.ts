// Charts of numbers over time, with the playhead in them.

import { playerColour } from "../colours";
import type { Overview, Series } from "../data/overview";
import type { Recording } from "../data/recording";
import { el, short, words } from "../dom";

/** More lines than this in one chart tell nothing. */
const MOST_LINES = 8;
/** What people want to see first, in this order. */
const FIRST = ["boost", "percent", "stocks", "health", "speed_m_s"];

interface Chart { canvas: HTMLCanvasElement; picture: ImageData | undefined; now: HTMLElement; series: Series[] }

export class ChartsPanel {
  readonly element = el("div", { class: "panel charts" });
  private readonly charts: Chart[] = [];
  private readonly watcher = new ResizeObserver(() => this.drawAll());
  private time_s: number;

  constructor(private readonly recording: Recording, private readonly overview: Overview, private readonly seek: (time_s: number) => void) {
    this.time_s = recording.start_s;
    const names = overview.names().sort((a, b) => rank(a) - rank(b));
    const shown = new Set(names.filter((name) => rank(name) < FIRST.length).slice(0, 4));
    if (shown.size === 0) for (const name of names.slice(0, 2)) shown.add(name);
    const boxes = names.map((name) => {
      const section = this.chart(name);
      section.hidden = !shown.has(name);
      const box = el("input", { type: "checkbox", checked: shown.has(name), change: () => { section.hidden = !box.checked; this.drawAll(); } });
      return { label: el("label", {}, box, words(name)), section };
    });
    this.element.append(
      el("fieldset", { class: "kinds" }, el("legend", {}, "Charts"), ...boxes.map(({ label }) => label)), ...boxes.map(({ section }) => section),
    );
    if (names.length === 0) this.element.append(el("p", { class: "note" }, "Nothing changes over time here."));
  }

  private chart(name: string): HTMLElement {
    const all = this.overview.scalars.filter((series) => series.name === name && series.values.some((value) => !Number.isNaN(value)));
    const players = all.filter(({ entity }) => ["player", "car", "head"].includes(this.recording.entity(entity)?.kind ?? ""));
    const series = (players.length > 0 ? players : all).slice(0, MOST_LINES);
    const canvas: HTMLCanvasElement = el("canvas", { class: "chart", role: "img", "aria-label": `${words(name)} over time`, click: (event) => this.click(event as MouseEvent, canvas) });
    const keys = series.map(({ entity }, index) => {
      const key = el("span", { class: "key" }, this.recording.entity(entity)?.name ?? "");
      key.style.color = playerColour(index);
      return key;
    });
    const now = el("span", { class: "now" });
    this.charts.push({ canvas, picture: undefined, now, series });
    this.watcher.observe(canvas);
    return el("section", { class: "chart-box", "data-name": name }, el("h3", {}, words(name)), canvas, el("p", { class: "keys" }, ...keys, now));
  }

  private click(event: MouseEvent, canvas: HTMLCanvasElement): void {
    const box = canvas.getBoundingClientRect();
    const { start_s, end_s } = this.recording;
    this.seek(start_s + ((event.clientX - box.left) / box.width) * (end_s - start_s));
  }

  private drawAll(): void {
    for (const chart of this.charts) {
      draw(chart);
      this.mark(chart);
    }
  }

  showTime(time_s: number): void {
    this.time_s = time_s;
    if (this.element.isConnected) for (const chart of this.charts) this.mark(chart);
  }

  private mark({ canvas, picture, now, series }: Chart): void {
    const context = canvas.getContext("2d");
    if (!context || !picture) return;
    const { start_s, end_s } = this.recording;
    const part = (this.time_s - start_s) / Math.max(1e-6, end_s - start_s);
    context.putImageData(picture, 0, 0);
    context.fillStyle = getComputedStyle(canvas).color;
    context.fillRect(part * canvas.width - devicePixelRatio / 2, 0, devicePixelRatio, canvas.height);
    const index = Math.round(part * (this.overview.times_s.length - 1));
    const values = series.map(({ values }) => values[index]).map((value) => (value === undefined || Number.isNaN(value) ? "–" : short(value)));
    now.textContent = values.join("  ");
  }

  close(): void { this.watcher.disconnect(); }
}

function rank(name: string): number {
  const index = FIRST.findIndex((first) => name.startsWith(first));
  return index < 0 ? FIRST.length : index;
}

function draw(chart: Chart): void {
  const { canvas, series } = chart;
  const width = (canvas.width = Math.round(canvas.clientWidth * devicePixelRatio));
  const height = (canvas.height = Math.round(canvas.clientHeight * devicePixelRatio));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  chart.picture = undefined;
  if (!context || width === 0 || height === 0) return;
  let [low, high] = [0, 1e-9];
  for (const { values } of series) for (const value of values) if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const y = (value: number) => height - 3 - ((value - low) / (high - low)) * (height - 6);
  for (const [index, { values }] of series.entries()) {
    context.strokeStyle = playerColour(index);
    context.lineWidth = 1.5 * devicePixelRatio;
    context.beginPath();
    let isDown = false;
    for (const [at, value] of values.entries()) {
      if (!Number.isFinite(value)) {
        isDown = false;
        continue;
      }
      const x = (at / (values.length - 1)) * width;
      if (isDown) context.lineTo(x, y(value));
      else context.moveTo(x, y(value));
      isDown = true;
    }
    context.stroke();
  }
  context.fillStyle = getComputedStyle(canvas).color;
  context.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  context.fillText(short(high), 4, 12 * devicePixelRatio);
  context.fillText(short(low), 4, height - 4);
  chart.picture = context.getImageData(0, 0, width, height);
}
