// Numbers about the recording and its players.

import type { StatGroup, StatSubject, StatValue } from "../data/api";
import type { Recording } from "../data/recording";
import { el, short, words } from "../dom";

export function statsPanel(recording: Recording): HTMLElement {
  const panel = el("div", { class: "panel stats" });
  const { summary, game, stats, findings } = recording.outline;
  const facts: [string, string][] = [
    ["game", game], ["version", summary.version], ["date", summary.date ?? ""], ["map", summary.map ?? ""], ["score", summary.score ?? ""],
    ...Object.entries(summary.details),
  ];
  panel.append(pairs("Recording", facts.filter(([, value]) => value !== "")));
  const bad = findings.filter(({ severity }) => severity !== "note");
  if (bad.length > 0) panel.append(pairs("Findings", bad.map(({ severity, path, message }) => [severity, path ? `${path}: ${message}` : message])));
  if (!stats) return panel;
  if (stats.teams && stats.teams.length > 0) panel.append(...tables(stats.teams, "Team"));
  panel.append(...tables(stats.players, ""));
  for (const [name, group] of Object.entries(stats.recording)) {
    panel.append(pairs(words(name), Object.entries(group).map(([key, value]) => [words(key), shown(value)])));
  }
  return panel;
}

function shown(value: StatValue | undefined): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return short(value);
  if (Array.isArray(value)) return value.map(short).join(" ");
  return value;
}

function pairs(title: string, rows: [string, string][]): HTMLElement {
  const body = rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)));
  return el("section", {}, el("h3", {}, title), el("table", {}, el("tbody", {}, ...body)));
}

/** A table for each group of numbers, a column for each subject. */
function tables(subjects: StatSubject[], prefix: string): HTMLElement[] {
  const isGroup = (value: StatSubject[string]): value is StatGroup => typeof value === "object";
  const groups = [...new Set(subjects.flatMap((subject) => Object.keys(subject).filter((key) => isGroup(subject[key]))))];
  return groups.map((group) => {
    const own = subjects.map((subject) => (isGroup(subject[group]) ? subject[group] : {}));
    const keys = [...new Set(own.flatMap((values) => Object.keys(values)))];
    const head = el("tr", {}, el("th", {}), ...subjects.map(({ name }) => el("th", { scope: "col" }, name)));
    const rows = keys.map((key) => el("tr", {}, el("th", { scope: "row" }, words(key)), ...own.map((values) => el("td", {}, shown(values[key])))));
    return el(
      "section", {}, el("h3", {}, `${prefix} ${words(group)}`.trim()),
      el("div", { class: "scroll" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows))),
    );
  });
}
