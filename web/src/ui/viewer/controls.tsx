// Play, pause, step, speed, loop, and the timeline.

import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { clock } from "../../format";
import { IconButton } from "../../icons";
import { SPEEDS } from "../../player";
import type { Viewer } from "./session";
import { Timeline } from "./timeline";

/** The arrows of the slider itself, in seconds. */
const ARROW_S = 1;
const PAGE_S = 10;

export function Controls({ viewer }: { viewer: Viewer }) {
  const { player } = viewer;
  return (
    <section class="controls" aria-label="Player">
      <div class="track">
        <Timeline viewer={viewer} />
        <Scrub viewer={viewer} />
      </div>
      <div class="buttons" role="toolbar" aria-label="Player">
        <IconButton icon="previousEvent" label="Previous event" onClick={() => player.jump(-1, viewer.isShown)} />
        <IconButton icon="previousFrame" label="Previous frame" onClick={() => player.step(-1)} />
        <PlayButton viewer={viewer} />
        <IconButton icon="nextFrame" label="Next frame" onClick={() => player.step(1)} />
        <IconButton icon="nextEvent" label="Next event" onClick={() => player.jump(1, viewer.isShown)} />
        <Time viewer={viewer} />
        <span class="space" />
        <LoopAndSpeed viewer={viewer} />
      </div>
    </section>
  );
}

function PlayButton({ viewer: { player } }: { viewer: Viewer }) {
  return (
    <IconButton
      icon={player.isPlaying ? "pause" : "play"}
      label={player.isPlaying ? "Pause" : "Play"}
      class="play"
      onClick={() => player.toggle()}
    />
  );
}

function LoopAndSpeed({ viewer: { player, stage } }: { viewer: Viewer }) {
  return (
    <>
      <IconButton
        icon="loop"
        label="Loop"
        pressed={player.isLooping}
        onClick={() => player.setLooping(!player.isLooping)}
      />
      <select
        aria-label="Speed"
        value={String(player.speed)}
        onChange={(event) => {
          player.setSpeed(Number(event.currentTarget.value));
          event.currentTarget.blur();
          stage.canvas.focus({ preventScroll: true });
        }}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={String(speed)}>
            {speed}×
          </option>
        ))}
      </select>
    </>
  );
}

/** Written to the page itself: nothing else of the controls changes with every picture. */
function Time({ viewer }: { viewer: Viewer }) {
  const output = useRef<HTMLOutputElement>(null);
  useSignalEffect(() => {
    const { start_s, end_s } = viewer.recording;
    const text = `${clock(viewer.time.value - start_s)} / ${clock(end_s - start_s)}`;
    if (output.current) output.current.textContent = text;
  });
  return <output class="time" aria-label="Time" aria-live="off" ref={output} />;
}

function Scrub({ viewer }: { viewer: Viewer }) {
  const slider = useRef<HTMLInputElement>(null);
  const { player, recording } = viewer;
  useSignalEffect(() => {
    void viewer.grown.value;
    const time_s = viewer.time.value;
    const input = slider.current;
    if (!input) return;
    const { start_s, end_s } = recording;
    input.min = String(start_s);
    input.max = String(Math.max(end_s, start_s + 1e-3));
    input.value = String(time_s);
    input.setAttribute("aria-valuetext", clock(time_s - start_s));
  });
  const arrows = (event: KeyboardEvent) => {
    const by = {
      ArrowLeft: -ARROW_S,
      ArrowDown: -ARROW_S,
      ArrowRight: ARROW_S,
      ArrowUp: ARROW_S,
      PageDown: -PAGE_S,
      PageUp: PAGE_S,
    }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    player.seek(player.time_s + by);
  };
  return (
    <input
      type="range"
      class="scrub"
      step="any"
      aria-label="Position in the recording"
      ref={slider}
      onInput={(event) => player.seek(Number(event.currentTarget.value))}
      onKeyDown={arrows}
    />
  );
}
