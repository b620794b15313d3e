// Where things were: positions counted on a grid over the field, and where shots and goals came from.

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Overview } from "../../data/overview";
import { theme } from "../../state/theme";
import type { Viewer } from "../viewer/session";
import { FieldMap, type MapChoice, shotsOf } from "./field-map";
import { Pending, useLater } from "./later";

export function MapPanel({ viewer }: { viewer: Viewer }) {
  const { value, error } = useLater(() => viewer.overview(), viewer);
  return value ? <PositionsMap viewer={viewer} overview={value} /> : <Pending error={error} />;
}

/** What people look for first. */
const BEST = ["car", "head", "player"];

function PositionsMap({ viewer, overview }: { viewer: Viewer; overview: Overview }) {
  const { recording, people } = viewer;
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<FieldMap | undefined>(undefined);
  const kinds = [...new Set(overview.positions.map(({ entity }) => recording.entities.kind(entity)))];
  const shots = shotsOf(viewer);
  const best = BEST.find((kind) => kinds.includes(kind)) ?? kinds[0] ?? "";
  const choice = useSignal<MapChoice>(shots.length > 0 ? { what: "shots" } : { what: "kind", kind: best });
  const look = theme.value;
  const chosen = choice.value;
  // Drawn anew when what it shows changes.
  useEffect(() => {
    const own = canvas.current;
    if (!own) return;
    const draw = () => {
      drawn.current = new FieldMap(own, viewer, overview, chosen);
      drawn.current.show(viewer.time.peek());
    };
    const watcher = new ResizeObserver(draw);
    watcher.observe(own.parentElement as HTMLElement);
    draw();
    return () => watcher.disconnect();
  }, [viewer, overview, chosen, look]);
  useSignalEffect(() => drawn.current?.show(viewer.time.value));
  const owners = people.playing.flatMap(({ id, name }) => {
    const series = overview.positions.find(
      ({ entity }) => people.of(entity)?.id === id && BEST.includes(recording.entities.kind(entity)),
    );
    return series ? [{ id, name }] : [];
  });
  return (
    <div class="panel map">
      <select
        aria-label="What the map shows"
        value={JSON.stringify(chosen)}
        onChange={(event) => {
          choice.value = JSON.parse(event.currentTarget.value) as MapChoice;
        }}
      >
        {shots.length > 0 && <option value={JSON.stringify({ what: "shots" })}>Shots and goals</option>}
        {kinds.map((kind) => (
          <option key={kind} value={JSON.stringify({ what: "kind", kind })}>{`Heat map: every ${kind}`}</option>
        ))}
        {owners.map(({ id, name }) => (
          <option key={id} value={JSON.stringify({ what: "person", id })}>{`Heat map: ${name}`}</option>
        ))}
      </select>
      <div class="field">
        <canvas
          ref={canvas}
          role="img"
          aria-label={chosen.what === "shots" ? "Shot map" : "Heat map of positions"}
          onClick={(event) => {
            const time_s = drawn.current?.pick(event.offsetX, event.offsetY);
            if (time_s !== undefined) viewer.player.seek(time_s);
          }}
        />
      </div>
      <p class="note">
        {chosen.what === "shots"
          ? "Filled: goals. Open: shots. Where the ball was; a click plays that moment."
          : "Brighter is longer, over the whole recording. Rings: where they are now."}
      </p>
    </div>
  );
}
