// Lanes of what matters, a glyph for each event: one lane for each team or player. Hover tells, a click goes there.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { GameEvent } from "../../data/source";
import { minutes } from "../../format";
import { theme } from "../../state/theme";
import { drawGlyph, kindOf } from "../../timeline/kinds";
import { detailsOf, sentence } from "../../timeline/said";
import type { Viewer } from "./session";

const LANE_PX = 14;
const MAX_LANES = 4;
const GLYPH_PX = 4.5;
/** The slider's thumb does not reach the edges: its middle goes from half its width on. */
const INSET_PX = 8;
/** Nearer than this to a glyph is on it. */
const NEAR_PX = 9;

interface Mark {
  event: GameEvent;
  x: number;
  y: number;
}

/** Which lane an event is on: its team's, its player's, or none, which is all of them. */
function lanesOf({ people, recording }: Viewer): { count: number; of: (event: GameEvent) => number | undefined } {
  const playing = people.playing;
  const teams = new Set(playing.map(({ team }) => team));
  const byTeam = recording.outline.format === "rocket-league" && teams.size > 1;
  const count = byTeam ? 2 : Math.min(MAX_LANES, Math.max(1, playing.length));
  return {
    count,
    of: ({ who, whom }) => {
      const person = people.of(who) ?? people.of(whom);
      if (!person) return undefined;
      const lane = byTeam ? (person.team ?? -1) : playing.indexOf(person);
      return lane >= 0 && lane < count ? lane : undefined;
    },
  };
}

export function Timeline({ viewer }: { viewer: Viewer }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const marks = useRef<Mark[]>([]);
  const hovered = useSignal<Mark | undefined>(undefined);
  const lanes = lanesOf(viewer);
  const kinds = viewer.kinds.value;
  const grown = viewer.grown.value;
  const look = theme.value;
  // Drawn anew when one of them changes.
  useEffect(() => {
    const own = canvas.current;
    if (!own) return;
    const draw = () => {
      marks.current = paint(own, viewer, lanes);
    };
    const watcher = new ResizeObserver(draw);
    watcher.observe(own);
    draw();
    return () => watcher.disconnect();
  }, [viewer, kinds, grown, look]);
  const at = (event: MouseEvent): Mark | undefined => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box) return undefined;
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const far = (mark: Mark) => Math.hypot(mark.x - x, (mark.y - y) * 0.7);
    const best = marks.current.reduce<Mark | undefined>(
      (best, mark) => (!best || far(mark) < far(best) ? mark : best),
      undefined,
    );
    return best && far(best) < NEAR_PX ? best : undefined;
  };
  const hover = hovered.value;
  return (
    <div class="lanes" style={{ height: `${lanes.count * LANE_PX}px` }}>
      <canvas
        ref={canvas}
        aria-hidden="true"
        onMouseMove={(event) => {
          hovered.value = at(event);
        }}
        onMouseLeave={() => {
          hovered.value = undefined;
        }}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const { start_s, end_s } = viewer.recording;
          const part = (event.clientX - box.left - INSET_PX) / Math.max(1, box.width - 2 * INSET_PX);
          viewer.player.seek(at(event)?.event.time_s ?? start_s + part * (end_s - start_s));
        }}
      />
      {hover && (
        <p class="tip" style={{ left: `${hover.x}px` }}>
          <b>{minutes(hover.event.time_s - viewer.recording.start_s)}</b> {sentence(viewer.recording, hover.event)}
          <span class="note">{detailsOf(hover.event)}</span>
        </p>
      )}
    </div>
  );
}

function paint(canvas: HTMLCanvasElement, viewer: Viewer, lanes: ReturnType<typeof lanesOf>): Mark[] {
  const { start_s, end_s, events, outline } = viewer.recording;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.max(1, width * devicePixelRatio);
  canvas.height = Math.max(1, height * devicePixelRatio);
  const context = canvas.getContext("2d");
  if (!context || end_s <= start_s || width === 0) return [];
  context.scale(devicePixelRatio, devicePixelRatio);
  const style = getComputedStyle(canvas);
  context.fillStyle = style.getPropertyValue("--lane");
  for (let lane = 0; lane < lanes.count; lane++) context.fillRect(0, lane * LANE_PX + 1, width, LANE_PX - 2);
  const neutral = style.getPropertyValue("--dim");
  const marks: Mark[] = [];
  for (const event of events) {
    if (!viewer.kinds.peek().has(event.kind)) continue;
    const lane = lanes.of(event);
    const x = INSET_PX + ((event.time_s - start_s) / (end_s - start_s)) * (width - 2 * INSET_PX);
    const y = lane === undefined ? height / 2 : (lane + 0.5) * LANE_PX;
    const { glyph } = kindOf(outline.format, event.kind);
    context.fillStyle =
      lane === undefined ? neutral : viewer.people.colourOf(viewer.people.of(event.who)?.id ?? event.whom);
    if (lane === undefined) context.fillRect(x - 0.5, 0, 1, height);
    else drawGlyph(context, glyph, x, y, GLYPH_PX);
    marks.push({ event, x, y });
  }
  return marks;
}
