// Play, pause, step, speed, loop, and the timeline with its marks.

import { wordColour } from "../colours";
import type { Recording } from "../data/recording";
import { button, clock, el, setText } from "../dom";
import { icon, setIcon } from "../icons";
import { type Player, SPEEDS } from "../player";

export class Controls {
  readonly element = el("div", { class: "controls" });
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly time = el("output", { class: "time", "aria-label": "Time" });
  private readonly slider: HTMLInputElement;
  private readonly marks = el("canvas", { class: "marks", "aria-hidden": "true" });
  private readonly speed: HTMLSelectElement;
  private readonly watcher: ResizeObserver;

  constructor(private readonly recording: Recording, private readonly player: Player, private readonly isShown: (kind: string) => boolean) {
    const { start_s, end_s } = recording;
    this.slider = el("input", {
      type: "range", min: start_s, max: Math.max(end_s, start_s + 1e-3), step: "any", value: start_s, "aria-label": "Position in the recording",
      class: "scrub", input: () => player.seek(Number(this.slider.value)),
    });
    this.play = button(icon("play"), "Play", () => player.toggle(), "play");
    this.loop = button(icon("loop"), "Loop", () => player.setLooping(!player.isLooping));
    this.speed = el(
      "select", { "aria-label": "Speed", change: () => player.setSpeed(Number(this.speed.value)) },
      ...SPEEDS.map((speed) => el("option", { value: speed }, `${speed}×`)),
    );
    this.element.append(
      el("div", { class: "track" }, this.marks, this.slider),
      el(
        "div", { class: "buttons", role: "toolbar", "aria-label": "Player" },
        button(icon("previousEvent"), "Previous event", () => player.jump(-1, isShown)), button(icon("previousFrame"), "Previous frame", () => player.step(-1)),
        this.play, button(icon("nextFrame"), "Next frame", () => player.step(1)), button(icon("nextEvent"), "Next event", () => player.jump(1, isShown)),
        this.time, this.loop, this.speed,
      ),
    );
    this.element.hidden = recording.isMoment;
    this.watcher = new ResizeObserver(() => this.drawMarks());
    this.watcher.observe(this.marks);
    this.showState();
  }

  showState(): void {
    const { isPlaying, isLooping, speed } = this.player;
    setIcon(this.play, isPlaying ? "pause" : "play");
    this.play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    this.play.title = isPlaying ? "Pause" : "Play";
    this.loop.setAttribute("aria-pressed", String(isLooping));
    this.speed.value = String(speed);
  }

  showTime(time_s: number): void {
    const { start_s, end_s } = this.recording;
    setText(this.time, `${clock(time_s - start_s)} / ${clock(end_s - start_s)}`);
    this.slider.max = String(Math.max(end_s, start_s + 1e-3));
    this.slider.value = String(time_s);
    this.slider.setAttribute("aria-valuetext", clock(time_s - start_s));
  }

  /** A line for every event that is shown, in the colour of its kind. */
  drawMarks(): void {
    const { start_s, end_s, events } = this.recording;
    const width = (this.marks.width = Math.max(1, this.marks.clientWidth * devicePixelRatio));
    const height = (this.marks.height = Math.max(1, this.marks.clientHeight * devicePixelRatio));
    const context = this.marks.getContext("2d");
    if (!context || end_s <= start_s) return;
    // The slider's thumb does not reach the edges: its middle goes from half its width on.
    const inset = 8 * devicePixelRatio;
    for (const { kind, time_s } of events) {
      if (!this.isShown(kind)) continue;
      context.fillStyle = wordColour(kind);
      const x = inset + ((time_s - start_s) / (end_s - start_s)) * (width - 2 * inset);
      context.fillRect(x - devicePixelRatio, 0, 2 * devicePixelRatio, height);
    }
  }

  close(): void { this.watcher.disconnect(); }
}
