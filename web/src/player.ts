// The clock: what time it is in the recording, and how it goes on.

import type { Recording } from "./data/recording";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];

export class Player {
  time_s: number;
  isPlaying = false;
  speed = 1;
  isLooping = false;
  /** The file is still being written: at its end one waits for more. */
  isLive = false;
  /** Called when anything but the time changed. */
  onState: () => void = () => {};

  constructor(private readonly recording: Recording) {
    this.time_s = recording.start_s;
  }

  /** Lets some real time pass; waits where the recording has not come yet. */
  advance(passed_s: number): void {
    if (!this.isPlaying || !this.recording.isLoaded(this.time_s)) return;
    const { start_s, end_s } = this.recording;
    this.time_s += passed_s * this.speed;
    if (this.time_s < end_s) return;
    if (this.isLooping && end_s > start_s) this.time_s = start_s + ((this.time_s - start_s) % (end_s - start_s));
    else {
      this.time_s = end_s;
      if (!this.isLive) this.pause();
    }
  }

  play(): void {
    if (this.recording.isMoment) return;
    if (this.time_s >= this.recording.end_s) this.time_s = this.recording.start_s;
    this.isPlaying = true;
    this.onState();
  }

  pause(): void {
    this.isPlaying = false;
    this.onState();
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  seek(time_s: number): void {
    this.time_s = Math.min(this.recording.end_s, Math.max(this.recording.start_s, time_s));
    this.onState();
  }

  step(direction: 1 | -1): void {
    this.pause();
    this.seek(this.recording.neighbour(this.time_s, direction));
  }

  setSpeed(speed: number): void {
    this.speed = Math.min(8, Math.max(0.1, speed));
    this.onState();
  }

  faster(direction: 1 | -1): void {
    const here = SPEEDS.findIndex((speed) => speed >= this.speed - 1e-9);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, here + direction))] ?? 1);
  }

  setLooping(isLooping: boolean): void {
    this.isLooping = isLooping;
    this.onState();
  }

  /** Jumps to the next or previous event of a kind that is shown. */
  jump(direction: 1 | -1, isShown: (kind: string) => boolean): void {
    const times_s = this.recording.events.filter(({ kind }) => isShown(kind)).map(({ time_s }) => time_s);
    const found = direction > 0
      ? times_s.find((time_s) => time_s > this.time_s + 1e-6)
      : times_s.reverse().find((time_s) => time_s < this.time_s - 0.05);
    if (found !== undefined) this.seek(found);
  }
}
