// What a person wants to know first: what is missing, who won, and how the sides compare.

import type { Finding, StatGroup, StatSubject } from "../../data/source";
import { minutes, short, words } from "../../format";
import type { Library } from "../list/library";
import type { Viewer } from "../viewer/session";
import { Bars, groupsOf } from "./bars";
import { Scoreboard } from "./scoreboard";

export function Overview({ viewer }: { viewer: Viewer; library: Library }) {
  void viewer.grown.value;
  const { outline } = viewer.recording;
  const { stats } = outline;
  const isWorld = outline.format.startsWith("satisfactory");
  return (
    <div class="panel overview">
      <Missing findings={outline.findings} hasStats={stats !== null} />
      <Scoreboard viewer={viewer} />
      <Decisive viewer={viewer} />
      {stats && isWorld && <World groups={stats.recording} />}
      {stats && isWorld && <Totals groups={stats.recording} />}
      {stats?.teams && stats.teams.length > 1 && <Groups subjects={stats.teams} viewer={viewer} title="Teams" open />}
      {stats && stats.players.length > 0 && (
        <Groups subjects={stats.players} viewer={viewer} title="Players" open={!stats.teams?.length && !isWorld} />
      )}
      {stats && !isWorld && <Totals groups={stats.recording} />}
    </div>
  );
}

/** What could not be read, before any number: a zero may only mean that nothing was there. */
function Missing({ findings, hasStats }: { findings: Finding[]; hasStats: boolean }) {
  const bad = findings.filter(({ severity }) => severity !== "note");
  if (bad.length === 0 && hasStats) return null;
  return (
    <section class="missing" aria-label="What is missing">
      <h2>{bad.length > 0 ? "This recording is damaged or not whole" : "There are no statistics"}</h2>
      {bad.length > 0 && <p>Numbers below are of what could be read.</p>}
      <ul>
        {bad.slice(0, 8).map(({ message, path }) => (
          <li key={`${path} ${message}`}>{path ? `${path}: ${message}` : message}</li>
        ))}
      </ul>
      {bad.length > 8 && <p class="note">{bad.length - 8} more under Technical.</p>}
      {!hasStats && bad.length === 0 && <p>The recording holds no frames, or none that could be read.</p>}
    </section>
  );
}

/** What decided the game, in a row each; a click plays it. */
function Decisive({ viewer }: { viewer: Viewer }) {
  const clips = viewer.game.clips().filter(({ decides }) => decides);
  if (clips.length === 0) return null;
  return (
    <section class="decisive" aria-label="What decided the game">
      <ul>
        {clips.map(({ from_s, to_s, label, detail, colour }) => (
          <li key={`${from_s} ${label}`}>
            <button type="button" style={{ "--own": colour }} onClick={() => viewer.player.playClip(from_s, to_s)}>
              <span class="clip-time">{minutes(Math.max(0, from_s - viewer.recording.start_s))}</span>
              <span>{label}</span>
              <span class="note">{detail}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Groups(props: { subjects: StatSubject[]; viewer: Viewer; title: string; open: boolean }) {
  const { subjects, viewer, title, open } = props;
  return (
    <section class="groups">
      <h2>{title}</h2>
      {groupsOf(subjects).map((group, index) => (
        <details key={group} open={open && index < 2}>
          <summary>{words(group)}</summary>
          <Bars subjects={subjects} group={group} viewer={viewer} />
        </details>
      ))}
    </section>
  );
}

/** What a factory's owner asks first: a card for each number that is told. */
const CARDS: [label: string, group: string, key: string][] = [
  ["Hours played", "session", "play_time_s"],
  ["Buildings", "buildings", "all"],
  ["Machines", "machines", "all"],
  ["Producing now", "machines", "producing"],
  ["Power made (MW)", "power", "production_mw"],
  ["Power used (MW)", "power", "consumption_mw"],
  ["Circuits", "power", "circuits"],
  ["Trains", "transport", "trains"],
  ["Milestones and more", "session", "schematics"],
];

function World({ groups }: { groups: Record<string, StatGroup> }) {
  const cards = CARDS.flatMap(([label, group, key]) => {
    const value = groups[group]?.[key];
    return typeof value === "number"
      ? [{ label, text: short(key === "play_time_s" ? Math.round(value / 360) / 10 : value) }]
      : [];
  });
  return (
    <dl class="cards">
      {cards.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Groups that only say again what other parts of the page say better. */
const TOLD = new Set(["events", "recording", "game", "session"]);
/** More rows than this in a group are shown when they are asked for. */
const MAX_ROWS = 12;

function Totals({ groups }: { groups: Record<string, StatGroup> }) {
  const shown = Object.entries(groups).filter(
    ([name, group]) =>
      !TOLD.has(name) && Object.values(group).some((value) => typeof value === "number" && value !== 0),
  );
  if (shown.length === 0) return null;
  return (
    <section class="groups totals">
      <h2>Totals</h2>
      {shown.map(([name, group], index) => (
        <details key={name} open={index < 1}>
          <summary>{words(name)}</summary>
          <TotalBars group={group} />
        </details>
      ))}
    </section>
  );
}

function TotalBars({ group }: { group: StatGroup }) {
  const numbers = Object.entries(group).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  const found = numbers.filter(([, value]) => value !== 0).sort((a, b) => b[1] - a[1]);
  const most = Math.max(1e-9, ...found.map(([, value]) => Math.abs(value)));
  const row = ([name, value]: [string, number]) => (
    <li class="total" key={name}>
      <span class="what">{words(name)}</span>
      <b>{short(value)}</b>
      <span class="length">
        <i style={{ width: `${Math.max(1, (Math.abs(value) / most) * 100).toFixed(1)}%` }} />
      </span>
    </li>
  );
  return (
    <>
      <ul>{found.slice(0, MAX_ROWS).map(row)}</ul>
      {found.length > MAX_ROWS && (
        <details>
          <summary>{found.length - MAX_ROWS} more</summary>
          <ul>{found.slice(MAX_ROWS).map(row)}</ul>
        </details>
      )}
    </>
  );
}
