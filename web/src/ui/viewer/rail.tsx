// At the left: clips of this recording, and the recordings that belong to it.

import { useMemo } from "preact/hooks";
import type { Row } from "../../data/source";
import { day, minutes } from "../../format";
import { rowTitle } from "../../names/headline";
import { keyOf } from "../../state/route";
import type { Library } from "../list/library";
import { sessionOf } from "../list/rows";
import type { Viewer } from "./session";

/** More clips than this are not listed. */
const MAX_CLIPS = 300;

/** Other recordings of the same set or session, in the order of time. */
export function siblings(viewer: Viewer, library: Library): Row[] {
  const session = sessionOf(viewer.row);
  if (!session) return [];
  const found = library.rows.value.filter((row) => sessionOf(row) === session);
  return found.length < 2
    ? []
    : found.sort(
        (a, b) => (a.summary?.date ?? "").localeCompare(b.summary?.date ?? "") || a.file.localeCompare(b.file),
      );
}

export function hasRail(viewer: Viewer, library: Library): boolean {
  return viewer.game.clips().length > 0 || siblings(viewer, library).length > 0;
}

export function Rail({ viewer, library }: { viewer: Viewer; library: Library }) {
  const grown = viewer.grown.value;
  // A growing file has more clips.
  const clips = useMemo(() => viewer.game.clips().slice(0, MAX_CLIPS), [viewer, grown]);
  const set = siblings(viewer, library);
  return (
    <nav class="rail" aria-label="Clips and games">
      {clips.length > 0 && (
        <section>
          <h2>Clips</h2>
          <ul>
            {clips.map(({ from_s, to_s, label, detail, colour }) => (
              <li key={`${from_s} ${label}`}>
                <button
                  type="button"
                  class="clip"
                  style={{ "--own": colour }}
                  onClick={() => viewer.player.playClip(from_s, to_s)}
                >
                  <span class="clip-time">{minutes(from_s - viewer.recording.start_s)}</span>
                  <span class="clip-label">{label}</span>
                  <span class="note">{detail}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {set.length > 0 && (
        <section>
          <h2>{viewer.row.format === "satisfactory" ? "Saves of this session" : "Games of this set"}</h2>
          <ul>
            {set.map((row) => (
              <li key={row.id}>
                <a class="clip" href={`#/r/${keyOf(row)}`} aria-current={row.id === viewer.row.id ? "page" : undefined}>
                  <span class="clip-label">{row.summary?.details["save_name"] ?? rowTitle(row)}</span>
                  <span class="note">
                    {day(row.summary?.date)}{" "}
                    {row.summary?.duration_s === undefined ? "" : minutes(row.summary.duration_s)}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </nav>
  );
}

/** The saves of a session on a slider, where recordings that move have their timeline; the view stays where it is. */
export function Saves({ viewer, library }: { viewer: Viewer; library: Library }) {
  const saves = siblings(viewer, library);
  if (saves.length === 0) return null;
  const here = saves.findIndex(({ id }) => id === viewer.row.id);
  const go = (index: number) => {
    const save = saves[index];
    if (!save) return;
    const view = viewer.link().replace(/^[^?]*\??/, "");
    location.hash = `#/r/${keyOf(save)}?${view}`;
  };
  const { date, duration_s } = viewer.row.summary ?? {};
  return (
    <section class="controls saves" aria-label="Saves of this session">
      <span>
        Save {here + 1} of {saves.length}
      </span>
      <input
        type="range"
        min={0}
        max={saves.length - 1}
        value={here}
        aria-label="Save of this session"
        aria-valuetext={viewer.row.summary?.details["save_name"] ?? viewer.row.file}
        onChange={(event) => go(Number(event.currentTarget.value))}
      />
      <span class="note">
        {[day(date), duration_s === undefined ? "" : `${minutes(duration_s)} played`].filter(Boolean).join(" · ")}
      </span>
    </section>
  );
}
