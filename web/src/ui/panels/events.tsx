// The table of events: a click jumps; kinds are shown or hidden, here and on the timeline.

import { useSignal, useSignalEffect } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { clock } from "../../format";
import { kindOf } from "../../timeline/kinds";
import { detailsOf } from "../../timeline/said";
import type { Viewer } from "../viewer/session";

/** More rows than this are not put into the page: filter to see the rest. */
const MAX_ROWS = 600;

export function EventsPanel({ viewer }: { viewer: Viewer }) {
  const search = useSignal("");
  const body = useRef<HTMLTableSectionElement>(null);
  const { recording } = viewer;
  const [kinds, grown] = [viewer.kinds.value, viewer.grown.value];
  const wanted = search.value.trim().toLowerCase();
  // A growing file has more events.
  const found = useMemo(() => {
    const name = (id: number | null) => recording.entity(id)?.name ?? "";
    return recording.events
      .filter(({ kind }) => kinds.has(kind))
      .map((event) => {
        const what = kindOf(recording.outline.format, event.kind).label;
        return { event, cells: [what, name(event.who), name(event.whom), detailsOf(event)] };
      })
      .filter(({ cells }) => !wanted || cells.some((cell) => cell.toLowerCase().includes(wanted)));
  }, [recording, kinds, grown, wanted]);
  const shown = found.slice(0, MAX_ROWS);
  useSignalEffect(() => {
    mark(body.current, viewer.time.value);
  });
  return (
    <div class="panel events">
      <Kinds viewer={viewer} />
      <input
        type="search"
        placeholder="Filter events"
        aria-label="Filter events"
        value={search.value}
        onInput={(event) => {
          search.value = event.currentTarget.value;
        }}
      />
      {found.length > MAX_ROWS && (
        <p class="note">
          The first {MAX_ROWS} of {found.length}
        </p>
      )}
      <table>
        <thead>
          <tr>
            {["Time", "What", "Who", "Whom", "Details"].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {shown.map(({ event, cells }, index) => (
            <tr key={`${event.time_s} ${event.kind} ${index}`} data-time={event.time_s}>
              <td>
                <button type="button" class="jump" onClick={() => viewer.player.seek(event.time_s)}>
                  {clock(event.time_s - recording.start_s)}
                </button>
              </td>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Marks the last event before the playhead. */
function mark(body: HTMLTableSectionElement | null, time_s: number): void {
  const rows = body?.rows;
  if (!rows) return;
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Number(rows[middle]?.dataset["time"]) <= time_s) low = middle + 1;
    else high = middle;
  }
  const row = rows[low - 1];
  if (row?.classList.contains("current")) return;
  body.querySelector(".current")?.classList.remove("current");
  row?.classList.add("current");
}

function Kinds({ viewer }: { viewer: Viewer }) {
  const { recording, people } = viewer;
  const counts = new Map<string, number>();
  for (const { kind } of recording.events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const all = [...counts].map(([kind, number]) => ({ kind, number, ...kindOf(recording.outline.format, kind) }));
  const box = ({ kind, number, label }: (typeof all)[number]) => (
    <label key={kind}>
      <input
        type="checkbox"
        checked={viewer.kinds.value.has(kind)}
        onChange={(event) => viewer.showKind(kind, event.currentTarget.checked)}
      />
      {label} <span class="note">{number}</span>
    </label>
  );
  const [main, other] = [all.filter(({ matters }) => matters), all.filter(({ matters }) => !matters)];
  void people;
  return (
    <fieldset class="kinds">
      <legend>Shown here and on the timeline</legend>
      {main.map(box)}
      {other.length > 0 && (
        <details open={main.length === 0}>
          <summary>More kinds</summary>
          <div class="kinds">{other.map(box)}</div>
        </details>
      )}
    </fieldset>
  );
}
