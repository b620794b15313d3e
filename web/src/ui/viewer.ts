// One recording: the scene, the controls below it, the panels beside it.

import { api } from "../data/api";
import { Overview } from "../data/overview";
import { Recording } from "../data/recording";
import { button, el, save } from "../dom";
import { sceneOf } from "../games";
import { icon } from "../icons";
import { Player } from "../player";
import type { GameScene } from "../scene/game";
import { Stage } from "../scene/stage";
import { ChartsPanel } from "./charts";
import { Controls } from "./controls";
import { EventsPanel } from "./events";
import { HeatmapPanel } from "./heatmap";
import { shortcuts } from "./keys";
import { type Place, write } from "./link";
import { statsPanel } from "./stats";
import { Tabs } from "./tabs";
import { totalsPanel } from "./totals";

/** How often a file is looked at, and how long after its last change it counts as being written. */
const WATCH_MS = 700;
const LIVE_MS = 5000;

export class Viewer {
  readonly element = el("main", { class: "viewer" });
  readonly player: Player;
  readonly game: GameScene;
  readonly stage: Stage;
  readonly tabs = new Tabs();
  readonly controls: Controls;
  readonly events: EventsPanel;
  frames = 0;
  private charts: ChartsPanel | undefined;
  private heat: HeatmapPanel | undefined;
  private readonly camera: HTMLSelectElement;
  private readonly waiting = el("p", { class: "waiting", role: "status" }, "Loading …");
  private readonly unbind: () => void;
  private shown_s = NaN;
  private last_ms = 0;
  private linked_ms = 0;
  private grown_ms = -Infinity;
  private isClosed = false;

  static async open(place: Place, onBack: () => void, onNew: (place: Place) => void): Promise<Viewer> {
    return new Viewer(new Recording(place.id, await api.outline(place.id)), place, onBack, onNew);
  }

  private constructor(readonly recording: Recording, place: Place, onBack: () => void, private readonly onNew: (place: Place) => void) {
    const host = el("div", { class: "scene" });
    this.player = new Player(recording);
    this.game = sceneOf(recording);
    this.stage = new Stage(this.game, host);
    this.game.redraw = () => this.stage.invalidate();
    this.events = new EventsPanel(recording, (time_s) => this.player.seek(time_s), () => this.controls.drawMarks());
    this.controls = new Controls(recording, this.player, this.events.isShown);
    this.player.onState = () => this.controls.showState();
    this.camera = el("select", { "aria-label": "Camera", change: () => this.setCamera(this.camera.value) });
    this.camera.append(...this.game.cameras.map(({ id, label }) => el("option", { value: id }, label)));
    host.append(this.game.hud, this.waiting, el("div", { class: "corner" }, ...this.game.tools, this.camera, button(icon("home"), "Camera home", () => this.goHome())));
    this.tabs.add("stats", "Statistics", () => statsPanel(recording));
    for (const { id, label, element } of this.game.panels) this.tabs.add(id, label, () => element);
    if (recording.events.length > 0) this.tabs.add("events", "Events", () => this.events.element);
    const totals = recording.isMoment ? totalsPanel(recording) : undefined;
    if (totals) this.tabs.add("totals", "Totals", () => totals);
    if (!recording.isMoment) {
      this.tabs.add("charts", "Charts", () => this.later(async () => (this.charts = new ChartsPanel(recording, await Overview.of(recording), (time_s) => this.player.seek(time_s))).element));
      this.tabs.add("heat", "Heat map", () => this.later(async () => (this.heat = new HeatmapPanel(recording, await Overview.of(recording), this.game.plane)).element));
    }
    this.tabs.add("export", "Export", () => this.exports());
    this.element.append(host, this.controls.element, this.tabs.element);
    this.unbind = shortcuts(this, onBack);
    recording.onPiece = () => {
      this.shown_s = NaN;
      void recording.want(this.player.time_s);
    };
    if (place.time_s !== undefined) this.player.seek(place.time_s);
    if (place.position && place.target) this.stage.setView(place.position, place.target);
    if (place.camera) this.setCamera(place.camera);
    void recording.want(this.player.time_s);
    // Opened without a time: it plays at once. A link shows its moment.
    this.player.isLive = place.isLive ?? false;
    if (place.time_s === undefined || place.isPlaying) this.player.play();
    setTimeout(() => void this.watch(), WATCH_MS);
    requestAnimationFrame((now_ms) => this.frame(now_ms));
  }

  /** Looks whether the file has grown: a game that is being played is shown as it goes on. */
  private async watch(): Promise<void> {
    if (this.isClosed) return;
    try {
      const { id, outline } = this.recording;
      const isChanged = !document.hidden && (await api.revision(id)) !== outline.revision;
      this.player.isLive = isChanged || (this.player.isLive && performance.now() - this.grown_ms < LIVE_MS);
      if (isChanged) {
        this.grown_ms = performance.now();
        const pack = await api.outline(id);
        if (this.isClosed) return;
        if (!this.recording.grow(pack)) {
          const [position, target] = this.stage.view();
          const { time_s, isPlaying } = this.player;
          return this.onNew({ id, time_s, camera: this.stage.mode.id, position, target, isPlaying, isLive: true });
        }
        this.controls.drawMarks();
        await this.recording.want(this.player.time_s);
      }
    } catch {
      // The file is gone, or the server: what has come so far stays.
    }
    setTimeout(() => void this.watch(), WATCH_MS);
  }

  setCamera(id: string): void {
    this.stage.setCamera(id);
    this.camera.value = this.stage.mode.id;
  }

  nextCamera(): void {
    const ids = this.game.cameras.map(({ id }) => id);
    this.setCamera(ids[(ids.indexOf(this.stage.mode.id) + 1) % ids.length] ?? "free");
  }

  goHome(): void {
    this.setCamera("free");
    this.stage.goHome();
  }

  /** The address that brings somebody here. */
  link(): string {
    const [position, target] = this.stage.view();
    return write({ id: this.recording.id, time_s: this.player.time_s, camera: this.stage.mode.id, position, target });
  }

  private frame(now_ms: number): void {
    if (this.isClosed) return;
    requestAnimationFrame((next_ms) => this.frame(next_ms));
    const passed_s = Math.min(0.25, Math.max(0, (now_ms - this.last_ms) / 1000));
    this.last_ms = now_ms;
    this.player.advance(passed_s);
    const { time_s } = this.player;
    const isLoaded = this.recording.isLoaded(time_s);
    this.waiting.hidden = isLoaded;
    if (!isLoaded) void this.recording.want(time_s);
    else if (time_s !== this.shown_s) {
      this.shown_s = time_s;
      this.game.update(time_s);
      this.controls.showTime(time_s);
      this.events.showTime(time_s);
      this.charts?.showTime(time_s);
      this.heat?.showTime(time_s);
      this.stage.invalidate();
    }
    this.stage.draw(time_s);
    this.frames++;
    // The address follows, but not in every frame: browsers count.
    if (!this.player.isPlaying && now_ms - this.linked_ms > 1000) {
      this.linked_ms = now_ms;
      const link = this.link();
      if (link !== location.hash) history.replaceState(null, "", link);
    }
  }

  private later(make: () => Promise<HTMLElement>): HTMLElement {
    const place = el("div", { class: "panel" }, "Loading …");
    make().then(
      (made) => {
        place.replaceWith(made);
        this.charts?.showTime(this.player.time_s);
        this.heat?.showTime(this.player.time_s);
      },
      (error: unknown) => (place.textContent = String(error)),
    );
    return place;
  }

  private exports(): HTMLElement {
    const { id, outline } = this.recording;
    const name = `${outline.format}-${id}`;
    const events = () => new Blob([JSON.stringify(this.recording.events, null, 1)], { type: "application/json" });
    const stats = () => new Blob([JSON.stringify(outline.stats, null, 1)], { type: "application/json" });
    const item = (label: string, what: string, make: () => Promise<Blob | null>, file: string) => {
      const run = () => void make().then((blob) => blob && save(file, blob));
      return el("li", {}, el("button", { type: "button", click: run }, label), el("span", {}, what));
    };
    const copy = () => void navigator.clipboard?.writeText(new URL(this.link(), location.href).href);
    return el(
      "div", { class: "panel exports" },
      el(
        "ul", {}, item("Picture", "what the scene shows now, as PNG", () => this.stage.png(), `${name}.png`),
        item("This moment", "every value at the playhead, as JSON", () => api.moment(id, this.player.time_s), `${name}-moment.json`),
        item("Events", "all of them, as JSON", async () => events(), `${name}-events.json`),
        item("Statistics", "all of them, as JSON", async () => stats(), `${name}-stats.json`),
        item("Animation", "for Blender and other 3D tools, as glTF", () => api.glb(id), `${name}.glb`),
        el("li", {}, el("button", { type: "button", click: copy }, "Link"), el("span", {}, "to this moment and this camera, copied")),
      ),
    );
  }

  close(): void {
    this.isClosed = true;
    this.unbind();
    this.controls.close();
    this.charts?.close();
    this.stage.close();
  }
}
