// Numbers of the same kind side by side: a bar for each subject, the best marked.

import { teamColour } from "../../colours";
import type { StatGroup, StatSubject } from "../../data/source";
import { short, words } from "../../format";
import type { Viewer } from "../viewer/session";

/** Groups that people look for first, in this order. */
const FIRST = ["core", "overall", "fight", "attack", "openings", "boost", "technique", "demo"];
/** Where less is better. */
const LESS = /taken|against|missed|lost|self_destruct|_died|zero_boost|overfill|toggles|per_kill|death|last_defender/;
/** Where more is neither better nor worse. */
const NEITHER =
  /^(port|victim|start_|end_|time_|percent_(def|off|neu|behind|infront|most|closest|farthest|slow|ground|low|high|boost)|avg_distance|at_s)|_s$|distance|count_powerslide|ball_camera/;

const isGroup = (value: StatSubject[string]): value is StatGroup => typeof value === "object" && value !== null;

/** The groups that hold numbers to compare. */
export function groupsOf(subjects: StatSubject[]): string[] {
  const names = [
    ...new Set(subjects.flatMap((subject) => Object.keys(subject).filter((key) => isGroup(subject[key])))),
  ];
  const rank = (name: string) => (FIRST.indexOf(name) + FIRST.length + 1) % (FIRST.length + 1);
  return names.filter((name) => keysOf(subjects, name).length > 0).sort((a, b) => rank(a) - rank(b));
}

function numberOf(subject: StatSubject, group: string, key: string): number | undefined {
  const own = subject[group];
  const value = isGroup(own) ? own[key] : undefined;
  return typeof value === "number" ? value : undefined;
}

/** Rows in which there is anything to see. */
function keysOf(subjects: StatSubject[], group: string): string[] {
  const keys = new Set(subjects.flatMap((subject) => (isGroup(subject[group]) ? Object.keys(subject[group]) : [])));
  return [...keys].filter(
    (key) => key !== "port" && subjects.some((subject) => (numberOf(subject, group, key) ?? 0) !== 0),
  );
}

export function Bars({ subjects, group, viewer }: { subjects: StatSubject[]; group: string; viewer: Viewer }) {
  const colours = subjects.map((subject) => colourOf(viewer, subject));
  return (
    <ul class="compare">
      {keysOf(subjects, group).map((key) => {
        const values = subjects.map((subject) => numberOf(subject, group, key));
        const most = Math.max(1e-9, ...values.map((value) => Math.abs(value ?? 0)));
        const best = bestOf(key, values);
        return (
          <li key={key}>
            <span class="what">{words(key)}</span>
            {subjects.map((subject, index) => (
              <span
                key={`${subject.name}${colours[index]}`}
                class={best === index ? "bar best" : "bar"}
                style={{ "--own": colours[index] ?? "" }}
              >
                <span class="who" title={subject.name}>
                  {viewer.people.all.find(({ fullName }) => fullName === subject.name)?.name ?? subject.name}
                </span>
                <span class="length">
                  <i style={{ width: `${((Math.abs(values[index] ?? 0) / most) * 100).toFixed(1)}%` }} />
                </span>
                <b title={best === index ? "the best" : undefined}>
                  {short(values[index])}
                  {best === index && <span class="unseen"> (best)</span>}
                </b>
              </span>
            ))}
          </li>
        );
      })}
    </ul>
  );
}

/** The one that is better than all others; none where two are as good, or nothing is better. */
function bestOf(key: string, values: (number | undefined)[]): number | undefined {
  if (NEITHER.test(key)) return undefined;
  const known = values.filter((value): value is number => value !== undefined);
  if (known.length < 2) return undefined;
  const best = LESS.test(key) ? Math.min(...known) : Math.max(...known);
  const found = values.flatMap((value, index) => (value === best ? [index] : []));
  return found.length === 1 ? found[0] : undefined;
}

function colourOf({ people }: Viewer, subject: StatSubject): string {
  const person = people.all.find(({ fullName }) => fullName === subject.name);
  if (person) return person.colour;
  const team = subject.team ?? { blue: 0, orange: 1 }[subject.name.toLowerCase()];
  return teamColour(team);
}
