// A stretch of the recording as a film, recorded in the page while it plays.

import type { Viewer } from "../viewer/session";
import { compose } from "./picture";

const FRAMES_PER_S = 30;
const BITS_PER_S = 6_000_000;

export interface ClipWish {
  from_s: number;
  to_s: number;
  width: number;
}

/** True where the browser can record a canvas. */
export function canRecord(): boolean {
  return typeof MediaRecorder !== "undefined" && MediaRecorder.isTypeSupported("video/webm");
}

/** Plays the stretch and records it; what the person had set is set again afterwards. */
export async function recordClip(viewer: Viewer, wish: ClipWish, tell: (part: number) => void): Promise<Blob> {
  const { player, recording } = viewer;
  const canvas = document.createElement("canvas");
  const wasAt_s = player.time_s;
  const from_s = Math.max(recording.start_s, wish.from_s);
  const to_s = Math.min(recording.end_s, wish.to_s);
  player.pause();
  player.seek(from_s);
  await loaded(viewer);
  viewer.show(0);
  compose(viewer, canvas, wish.width);
  const recorder = new MediaRecorder(canvas.captureStream(FRAMES_PER_S), {
    mimeType: "video/webm",
    videoBitsPerSecond: BITS_PER_S,
  });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve();
  });
  recorder.start();
  player.playClip(from_s, to_s);
  while (player.isPlaying && player.time_s < to_s) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    compose(viewer, canvas, wish.width);
    tell((player.time_s - from_s) / Math.max(1e-6, to_s - from_s));
  }
  recorder.stop();
  await stopped;
  player.pause();
  player.seek(wasAt_s);
  return new Blob(parts, { type: "video/webm" });
}

async function loaded({ recording, player }: Viewer): Promise<void> {
  while (!recording.isLoaded(player.time_s)) {
    void recording.want(player.time_s);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
