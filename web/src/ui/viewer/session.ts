// One recording that is open: its clock, its scene, and what the page shows of both.

import { effect, signal } from "@preact/signals";
import { Overview } from "../../data/overview";
import { Recording } from "../../data/recording";
import { LostServer } from "../../data/server";
import type { Row, Source } from "../../data/source";
import { sceneOf } from "../../games";
import { People } from "../../people";
import { Player } from "../../player";
import type { GameScene } from "../../scene/game";
import type { HudState } from "../../scene/hud";
import { Stage } from "../../scene/stage";
import { find, keyOf, type Place, parse, write } from "../../state/route";
import { theme } from "../../state/theme";
import { kindOf } from "../../timeline/kinds";

/** How often a file is looked at, and how long after its last change it counts as being written. */
const WATCH_MS = 700;
const LIVE_MS = 5000;
/** How often the address follows the playhead: browsers count. */
const LINK_MS = 1000;
/** More than this is not made up for after a pause of the browser. */
const MAX_STEP_S = 0.25;

export class Viewer {
  readonly player: Player;
  readonly people: People;
  readonly game: GameScene;
  readonly stage: Stage;
  /** The playhead, once a picture. */
  readonly time = signal(0);
  readonly hud = signal<HudState | undefined>(undefined);
  readonly isWaiting = signal(true);
  /** Why there is nothing new: the server is gone, a piece could not be read. */
  readonly trouble = signal("");
  readonly camera = signal("free");
  /** Counts the states of a growing file. */
  readonly grown = signal(0);
  /** The kinds of events that are shown. */
  readonly kinds = signal<ReadonlySet<string>>(new Set());
  frames = 0;
  private readonly unbind: () => void;
  private readonly key: string;
  private address: string;
  private shown_s = Number.NaN;
  private last_ms = 0;
  private linked_ms = 0;
  private grown_ms = Number.NEGATIVE_INFINITY;
  private isClosed = false;
  private pending: Promise<Overview> | undefined;

  static async open(source: Source, place: Place, onNew: (place: Place) => void): Promise<Viewer> {
    const row = await find(source, place.key);
    if (row.error) throw new Error(row.error);
    return new Viewer(new Recording(source, row, await source.outline(row.id)), row, place, onNew);
  }

  private constructor(
    readonly recording: Recording,
    readonly row: Row,
    place: Place,
    private readonly onNew: (place: Place) => void,
  ) {
    this.key = keyOf(row);
    this.address = place.key;
    this.player = new Player(recording);
    this.people = new People(recording);
    this.game = sceneOf(recording, this.people);
    this.stage = new Stage(this.game);
    this.game.redraw = () => {
      this.shown_s = Number.NaN;
      this.stage.invalidate();
    };
    const { format } = recording.outline;
    const present = new Set(recording.events.map(({ kind }) => kind));
    const mattering = [...present].filter((kind) => kindOf(format, kind).matters);
    this.kinds.value = new Set(mattering.length > 0 ? mattering : present);
    this.time.value = this.player.time_s;
    const stops = [
      effect(() => this.stage.applyTheme(theme.value)),
      ...this.game.tools.map(({ value }) =>
        effect(() => {
          void value.value;
          this.player.gaps = this.game.gaps();
          this.game.redraw();
        }),
      ),
    ];
    this.unbind = () => {
      for (const stop of stops) stop();
    };
    recording.onPiece = () => {
      this.shown_s = Number.NaN;
      this.want();
    };
    if (place.time_s !== undefined) this.player.seek(place.time_s);
    this.setCamera(place.camera ?? this.game.firstCamera);
    if (place.position && place.target) this.stage.setView(place.position, place.target);
    this.want();
    // Opened without a time: it plays at once. A link shows its moment.
    this.player.isLive = place.isLive ?? false;
    if (place.time_s === undefined || place.isPlaying) this.player.play();
    setTimeout(() => void this.watch(), WATCH_MS);
    requestAnimationFrame((now_ms) => this.frame(now_ms));
  }

  private want(): void {
    this.recording.want(this.player.time_s).then(
      () => {
        if (this.trouble.peek()) this.trouble.value = "";
      },
      (error: unknown) => {
        this.trouble.value = error instanceof Error ? error.message : String(error);
      },
    );
  }

  /** Looks whether the file has grown: a game that is being played is shown as it goes on. */
  private async watch(): Promise<void> {
    if (this.isClosed) return;
    try {
      const { id, outline, source } = this.recording;
      const isChanged = !document.hidden && (await source.revision(id)) !== outline.revision;
      if (this.trouble.peek()) this.trouble.value = "";
      this.player.isLive = isChanged || (this.player.isLive && performance.now() - this.grown_ms < LIVE_MS);
      if (isChanged) {
        this.grown_ms = performance.now();
        const pack = await source.outline(id);
        if (this.isClosed) return;
        if (!this.recording.grow(pack)) {
          const { time_s, isPlaying } = this.player;
          return this.onNew({ ...this.place(), key: this.address, time_s, isPlaying, isLive: true });
        }
        this.grown.value++;
        await this.recording.want(this.player.time_s);
      }
    } catch (error) {
      // The file is gone, or the server: what has come so far stays.
      if (error instanceof LostServer) this.trouble.value = error.message;
    }
    setTimeout(() => void this.watch(), WATCH_MS);
  }

  /** The whole recording at equal steps, asked for once. */
  overview(): Promise<Overview> {
    this.pending ??= Overview.of(this.recording, (kind) => this.game.topSpeed_m_s(kind));
    return this.pending;
  }

  isShown = (kind: string): boolean => this.kinds.value.has(kind);

  showKind(kind: string, isShown: boolean): void {
    const next = new Set(this.kinds.peek());
    if (isShown) next.add(kind);
    else next.delete(kind);
    this.kinds.value = next;
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
    this.setCamera(this.game.homeCamera);
    this.stage.goHome();
  }

  private place(): Place {
    const [position, target] = this.stage.view();
    return { key: this.key, time_s: this.player.time_s, camera: this.stage.mode.id, position, target };
  }

  /** The address that brings a person here. */
  link(): string {
    return write(this.place());
  }

  private frame(now_ms: number): void {
    if (this.isClosed) return;
    requestAnimationFrame((next_ms) => this.frame(next_ms));
    const passed_s = Math.min(MAX_STEP_S, Math.max(0, (now_ms - this.last_ms) / 1000));
    this.last_ms = now_ms;
    this.player.advance(passed_s);
    this.show(passed_s);
    this.follow(now_ms);
  }

  /** Brings scene and page to the playhead. */
  show(passed_s: number): void {
    const { time_s } = this.player;
    const isLoaded = this.recording.isLoaded(time_s);
    if (this.isWaiting.peek() === isLoaded) this.isWaiting.value = !isLoaded;
    if (!isLoaded) {
      if (!this.trouble.peek()) this.want();
    } else if (time_s !== this.shown_s) {
      this.shown_s = time_s;
      this.game.update(time_s);
      this.hud.value = this.game.hudAt(time_s);
      this.time.value = time_s;
      this.stage.invalidate();
    }
    this.stage.draw(time_s, passed_s);
    this.frames++;
  }

  /** The address follows while nothing plays; one that a person has changed meanwhile is left alone. */
  private follow(now_ms: number): void {
    if (this.player.isPlaying || now_ms - this.linked_ms < LINK_MS) return;
    this.linked_ms = now_ms;
    if (parse(location.hash)?.key !== this.address) return;
    const link = this.link();
    this.address = this.key;
    if (link !== location.hash) history.replaceState(null, "", link);
  }

  close(): void {
    this.isClosed = true;
    this.unbind();
    this.stage.close();
  }
}
