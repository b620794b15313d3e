// The clock: what time it is in the recording, and how it goes on.

import { signal } from "@preact/signals";
import type { Recording } from "./data/recording";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];

/** A stretch of time that is left out. */
export type Gap = readonly [from_s: number, to_s: number];

export class Player {
  time_s: number;
  /** The file is still being written: at its end one waits for more. */
  isLive = false;
  /** What is skipped while playing: goal replays, on wish. */
  gaps: readonly Gap[] = [];
  private readonly playing = signal(false);
  private readonly rate = signal(1);
  private readonly looping = signal(false);
  /** While a clip plays: where it ends. */
  readonly clipEnd_s = signal<number | undefined>(undefined);

  constructor(private readonly recording: Recording) {
    this.time_s = recording.start_s;
  }

  get isPlaying(): boolean {
    return this.playing.value;
  }
  get speed(): number {
    return this.rate.value;
  }
  get isLooping(): boolean {
    return this.looping.value;
  }

  /** Lets some real time pass; waits where the recording has not come yet. */
  advance(passed_s: number): void {
    if (!this.playing.peek() || !this.recording.isLoaded(this.time_s)) return;
    const { start_s, end_s } = this.recording;
    this.time_s += passed_s * this.rate.peek();
    const gap = this.gaps.find(([from_s, to_s]) => from_s <= this.time_s && this.time_s < to_s);
    if (gap) this.time_s = gap[1];
    const clipEnd_s = this.clipEnd_s.peek();
    if (clipEnd_s !== undefined && this.time_s >= clipEnd_s) {
      this.time_s = Math.min(clipEnd_s, end_s);
      return this.pause();
    }
    if (this.time_s < end_s) return;
    if (this.looping.peek() && end_s > start_s) this.time_s = start_s + ((this.time_s - start_s) % (end_s - start_s));
    else {
      this.time_s = end_s;
      if (!this.isLive) this.pause();
    }
  }

  play(): void {
    if (this.recording.isMoment) return;
    if (this.time_s >= this.recording.end_s) this.time_s = this.recording.start_s;
    this.playing.value = true;
  }

  pause(): void {
    this.clipEnd_s.value = undefined;
    this.playing.value = false;
  }

  toggle(): void {
    if (this.playing.peek()) this.pause();
    else this.play();
  }

  seek(time_s: number): void {
    this.clipEnd_s.value = undefined;
    this.time_s = Math.min(this.recording.end_s, Math.max(this.recording.start_s, time_s));
  }

  /** Plays from one time to another, and stops there. */
  playClip(from_s: number, to_s: number): void {
    this.seek(from_s);
    this.play();
    this.clipEnd_s.value = to_s;
  }

  step(direction: 1 | -1): void {
    this.pause();
    this.seek(this.recording.neighbour(this.time_s, direction));
  }

  setSpeed(speed: number): void {
    this.rate.value = Math.min(8, Math.max(0.1, speed));
  }

  faster(direction: 1 | -1): void {
    const here = SPEEDS.findIndex((speed) => speed >= this.rate.peek() - 1e-9);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, here + direction))] ?? 1);
  }

  setLooping(isLooping: boolean): void {
    this.looping.value = isLooping;
  }

  /** Jumps to the next or previous event of a kind that is shown. */
  jump(direction: 1 | -1, isShown: (kind: string) => boolean): void {
    const times_s = this.recording.events.filter(({ kind }) => isShown(kind)).map(({ time_s }) => time_s);
    const found =
      direction > 0
        ? times_s.find((time_s) => time_s > this.time_s + 1e-6)
        : times_s.reverse().find((time_s) => time_s < this.time_s - 0.05);
    if (found !== undefined) this.seek(found);
  }
}
