// Charts of numbers over time: axes, a legend that chooses players, the playhead in them, a click that jumps.

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Overview, Series } from "../../data/overview";
import { minutes, short, words } from "../../format";
import { theme } from "../../state/theme";
import { saveText } from "../export/save";
import type { Viewer } from "../viewer/session";
import { Pending, useLater } from "./later";

/** More lines than this in one chart tell nothing. */
const MAX_LINES = 8;
/** What people want to see first, in this order. */
const FIRST = ["boost_percent", "percent", "stocks", "health", "speed_m_s", "score"];
const MAX_FIRST = 3;
const HEIGHT_PX = 170;
/** Shorter than this, a drag is a click. */
const DRAG_PX = 6;
/** Lines differ in more than colour. */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

export function ChartsPanel({ viewer }: { viewer: Viewer }) {
  const { value, error } = useLater(() => viewer.overview(), viewer);
  return value ? <Charts viewer={viewer} overview={value} /> : <Pending error={error} />;
}

function rank(name: string): number {
  const index = FIRST.indexOf(name);
  return index < 0 ? FIRST.length : index;
}

function Charts({ viewer, overview }: { viewer: Viewer; overview: Overview }) {
  const names = useMemo(() => overview.names().sort((a, b) => rank(a) - rank(b)), [overview]);
  const shown = useSignal<ReadonlySet<string>>(new Set(firstOf(names)));
  if (names.length === 0) return <p class="note">Nothing changes over time here.</p>;
  return (
    <div class="panel charts">
      {names
        .filter((name) => shown.value.has(name))
        .map((name) => (
          <Chart key={name} viewer={viewer} overview={overview} name={name} />
        ))}
      <p class="note">
        A click jumps there. Drag to zoom in, double-click for all; names in the legend choose players.
      </p>
      <fieldset class="kinds">
        <legend>Charts</legend>
        {names.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={shown.value.has(name)}
              onChange={(event) => {
                const next = new Set(shown.peek());
                if (event.currentTarget.checked) next.add(name);
                else next.delete(name);
                shown.value = next;
              }}
            />
            {words(name)}
          </label>
        ))}
      </fieldset>
    </div>
  );
}

function firstOf(names: string[]): string[] {
  const found = names.filter((name) => rank(name) < FIRST.length).slice(0, MAX_FIRST);
  return found.length > 0 ? found : names.slice(0, 2);
}

/** The series of one number: those of players where any has it. */
function seriesOf({ recording, people }: Viewer, overview: Overview, name: string): Series[] {
  const all = overview.scalars.filter(
    (series) => series.name === name && series.values.some((value) => !Number.isNaN(value)),
  );
  const players = all.filter(
    ({ entity }) => people.of(entity) && ["player", "car", "head"].includes(recording.entities.kind(entity)),
  );
  const chosen = players.length > 0 ? players : all;
  return [...chosen]
    .sort((a, b) => (people.of(a.entity)?.team ?? 0) - (people.of(b.entity)?.team ?? 0))
    .slice(0, MAX_LINES);
}

function Chart({ viewer, overview, name }: { viewer: Viewer; overview: Overview; name: string }) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const head = useRef<HTMLElement>(null);
  const place = (time_s: number) => {
    const made = plot.current;
    if (!made || !head.current) return;
    const x = made.valToPos(time_s - viewer.recording.start_s, "x") + made.over.offsetLeft;
    head.current.style.transform = `translateX(${x.toFixed(1)}px)`;
    // Where one has zoomed in to another time there is none.
    head.current.hidden = x < made.over.offsetLeft - 1 || x > made.over.offsetLeft + made.over.clientWidth + 1;
  };
  const { start_s } = viewer.recording;
  const series = useMemo(() => seriesOf(viewer, overview, name), [viewer, overview, name]);
  const look = theme.value;
  const nameOf = (entity: number) => viewer.people.of(entity)?.name ?? viewer.recording.entities.name(entity);
  // Made anew when what it shows changes.
  useEffect(() => {
    const own = host.current;
    if (!own) return;
    const options = optionsOf(viewer, series, nameOf, own.clientWidth);
    // Where the playhead is on it changes with its size, too.
    options.hooks = {
      draw: [
        (drawn) => {
          plot.current = drawn;
          place(viewer.time.peek());
        },
      ],
    };
    const times = Array.from(overview.times_s, (time_s) => time_s - start_s);
    const lines = series.map(({ values }) => Array.from(values, (value) => (Number.isFinite(value) ? value : null)));
    const made = new uPlot(options, [times, ...lines], own);
    plot.current = made;
    const watcher = new ResizeObserver(() =>
      made.setSize({ width: Math.max(120, own.clientWidth), height: HEIGHT_PX }),
    );
    watcher.observe(own);
    const over = made.over;
    let pressed = 0;
    over.addEventListener("mousedown", ({ clientX }) => {
      pressed = clientX;
    });
    const jump = ({ clientX }: MouseEvent) => {
      if (Math.abs(clientX - pressed) >= DRAG_PX) return;
      viewer.player.seek(start_s + made.posToVal(clientX - over.getBoundingClientRect().left, "x"));
    };
    over.addEventListener("click", jump);
    return () => {
      watcher.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [viewer, overview, name, look]);
  useSignalEffect(() => place(viewer.time.value));
  const csv = () => {
    const rows = Array.from(overview.times_s, (time_s, index) => [
      time_s.toFixed(3),
      ...series.map(({ values }) => (Number.isFinite(values[index]) ? String(values[index]) : "")),
    ]);
    const heads = ["time_s", ...series.map(({ entity }) => nameOf(entity))].map(
      (cell) => `"${cell.replaceAll('"', '""')}"`,
    );
    saveText(viewer, name, "csv", [heads, ...rows].map((row) => row.join(",")).join("\n"));
  };
  return (
    <section class="chart-box" data-name={name} aria-label={`${words(name)} over time`}>
      <div class="chart-head">
        <h2>{words(name)}</h2>
        <button type="button" class="small" onClick={csv} aria-label={`Save ${words(name)} as CSV`}>
          CSV
        </button>
      </div>
      <div class="plot" ref={host}>
        <i class="playhead" ref={head} />
      </div>
    </section>
  );
}

function optionsOf(viewer: Viewer, series: Series[], nameOf: (entity: number) => string, width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const [dim, line] = ["--dim", "--line"].map((name) => style.getPropertyValue(name).trim());
  const axis = {
    stroke: dim ?? "",
    grid: { stroke: line ?? "", width: 1 },
    ticks: { stroke: line ?? "", width: 1 },
    font: "12px system-ui, sans-serif",
  };
  const perColour = new Map<string, number>();
  return {
    width: Math.max(120, width),
    height: HEIGHT_PX,
    padding: [8, 8, 0, 0],
    scales: { x: { time: false } },
    cursor: { drag: { x: true, y: false, dist: DRAG_PX }, points: { size: 6 } },
    legend: { live: true },
    axes: [
      { ...axis, values: (_plot, ticks) => ticks.map((tick) => minutes(tick)) },
      { ...axis, size: 44, values: (_plot, ticks) => ticks.map((tick) => short(tick)) },
    ],
    series: [
      { label: "Time", value: (_plot, value) => (value === null ? "–" : minutes(value)) },
      ...series.map(({ entity }) => {
        const stroke = viewer.people.colourOf(entity);
        const nth = perColour.get(stroke) ?? 0;
        perColour.set(stroke, nth + 1);
        const mates = series.filter((other) => viewer.people.of(other.entity)?.team === viewer.people.of(entity)?.team);
        const dash =
          DASHES[
            Math.max(
              nth,
              mates.findIndex((other) => other.entity === entity),
            ) % DASHES.length
          ] ?? [];
        return {
          label: nameOf(entity),
          stroke,
          dash,
          width: 1.75,
          spanGaps: false,
          value: (_plot: uPlot, value: number | null) => short(value),
        };
      }),
    ],
  };
}
