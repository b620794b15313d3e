// Totals of a save as bars: items, buildings, whatever its statistics count. A moment has no lines over time.

import { wordColour } from "../colours";
import type { StatGroup } from "../data/api";
import type { Recording } from "../data/recording";
import { el, short, words } from "../dom";

/** Fewer numbers than this are read faster in the table. */
const FEWEST_BARS = 4;
/** More bars than this are not drawn at once: filter to see the rest. */
const MOST_BARS = 40;
/** What people want to see first. */
const FIRST = ["items", "buildings"];

/** The groups of a recording's statistics that make a chart, by name. */
function groupsOf({ outline }: Recording): Map<string, [string, number][]> {
  const numbers = (group: StatGroup) => Object.entries(group).filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] > 0);
  const found = Object.entries(outline.stats?.recording ?? {}).map(([name, group]) => [name, numbers(group)] as const);
  return new Map(found.filter(([, entries]) => entries.length >= FEWEST_BARS));
}

/** A panel with a chart of totals; none where nothing is counted. */
export function totalsPanel(recording: Recording): HTMLElement | undefined {
  const groups = groupsOf(recording);
  if (groups.size === 0) return undefined;
  const bars = el("div", { class: "bars" });
  const note = el("p", { class: "note" });
  const choice: HTMLSelectElement = el("select", { "aria-label": "Which totals", change: () => show() }, ...[...groups.keys()].map((name) => el("option", { value: name }, words(name))));
  const search: HTMLInputElement = el("input", { type: "search", placeholder: "Filter totals", "aria-label": "Filter totals", input: () => show() });
  const show = () => {
    const wanted = search.value.trim().toLowerCase();
    const found = (groups.get(choice.value) ?? []).filter(([name]) => name.toLowerCase().includes(wanted)).sort((a, b) => b[1] - a[1]);
    const most = found[0]?.[1] ?? 1;
    note.textContent = found.length > MOST_BARS ? `The largest ${MOST_BARS} of ${found.length}` : "";
    bars.replaceChildren(...found.slice(0, MOST_BARS).map(([name, value]) => {
      const fill = el("i");
      fill.style.width = `${Math.max(1, (value / most) * 100)}%`;
      fill.style.background = wordColour(name);
      return el("div", { class: "total" }, el("span", { class: "what" }, words(name)), el("b", {}, short(value)), el("span", { class: "length" }, fill));
    }));
  };
  choice.value = FIRST.map((first) => [...groups.keys()].find((name) => name.startsWith(first))).find(Boolean) ?? choice.value;
  show();
  return el("div", { class: "panel totals" }, choice, search, note, bars);
}
