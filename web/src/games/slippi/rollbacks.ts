// Frames that were computed more than once: how often, and where everybody was when the player saw them first.

import { signal } from "@preact/signals";
import { CapsuleGeometry, Mesh, MeshBasicMaterial, type Object3D } from "three";
import type { Recording } from "../../data/recording";
import { after } from "../../data/sample";
import { group } from "../../scene/actor";

/** How long a frame is, in seconds. */
const FRAME_S = 1 / 60;
/** Nearer than this, in metres, what was seen first is what counted. */
const SAME_M = 0.05;

export class Rollbacks {
  readonly object = group();
  /** Whether what was seen before a rollback is shown. */
  readonly isWanted = signal(true);
  /** What is said of the frame that is shown. */
  text = "";
  private times_s: Float64Array = new Float64Array();
  private copies: Uint32Array = new Uint32Array();
  private places: Float32Array[] = [];
  private ghosts: Object3D[] = [];

  constructor(
    recording: Recording,
    private readonly colours: string[],
    onLoad: () => void,
  ) {
    this.load(recording).then(onLoad, () => {
      // Without them the game is shown as it counted.
    });
  }

  /** How many frames there are of which more than one computation is on record. */
  get count(): number {
    return this.times_s.length;
  }

  private async load(recording: Recording): Promise<void> {
    const pack = await recording.source.rollbacks(recording.id);
    const { times_s, copies, characters } = pack.index;
    [this.times_s, this.copies, this.places] = [
      pack.f64(times_s),
      pack.u32(copies),
      characters.map((place) => pack.f32(place)),
    ];
    if (this.count === 0) return;
    this.ghosts = this.places.map((_, index) => {
      const material = new MeshBasicMaterial({
        color: this.colours[index] ?? "#9aa4b2",
        wireframe: true,
        transparent: true,
        opacity: 0.5,
      });
      const ghost = new Mesh(new CapsuleGeometry(0.32, 0.7, 4, 8), material);
      ghost.visible = false;
      this.object.add(ghost);
      return ghost;
    });
  }

  /** Shows what was seen first at a time; `at` is where everybody counted to be, in the order of the characters. */
  show(time_s: number, at: (Object3D | undefined)[]): void {
    const index = after(this.times_s, time_s + 1e-6) - 1;
    const isRolledBack =
      this.isWanted.peek() && index >= 0 && time_s - (this.times_s[index] as number) < FRAME_S - 1e-6;
    this.text = isRolledBack ? `Rollback: this frame was computed ${this.copies[index]} times` : "";
    for (const [character, ghost] of this.ghosts.entries()) {
      const [x, y] = [this.places[character]?.[index * 3] ?? NaN, this.places[character]?.[index * 3 + 1] ?? NaN];
      const now = at[character];
      const far = now?.visible ? Math.hypot(now.position.x - x, now.position.y - y) : Infinity;
      ghost.visible = isRolledBack && Number.isFinite(x) && far > SAME_M;
      ghost.position.set(x, y + 0.67, 0);
    }
  }
}
