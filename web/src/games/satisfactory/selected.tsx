// The card of what was clicked: name, recipe, clock and contents first, everything else folded.

import type { Recording } from "../../data/recording";
import type { Details } from "../../data/source";
import { short } from "../../format";
import { Pending, useLater } from "../../ui/panels/later";
import type { FactoryClass } from "./boxes";
import { ACTIVITIES, amountText, type Held } from "./world";

export interface Selection {
  id: number;
  own: FactoryClass;
  recording: Recording;
}

interface Props {
  selection: Selection | undefined;
  held: Held | undefined;
}

export function Selected({ selection, held }: Props) {
  return (
    <div class="details" aria-live="polite">
      {selection ? (
        <Card key={selection.id} selection={selection} held={held} />
      ) : (
        <p class="note">Click a building to see what it is.</p>
      )}
    </div>
  );
}

/** Of the save's own names, those that a person asks for first and that nothing else tells. */
const FIRST: [RegExp, string][] = [
  [/^mExtractableResource$/, "Stands on"],
  [/^mCurrentFuelClass$/, "Burns"],
];

/** What a person asks of a machine or a container, in words. */
function told(name: string, held: Held | undefined): [label: string, text: string, colour?: string | undefined][] {
  const machine = held?.machines.get(name);
  const stored = held?.stored.get(name);
  const rows: [string, string, string?][] = [];
  if (machine) {
    const { recipe, activity, clock, productivity, made, used, takes_mw, generates_mw } = machine;
    const state = ACTIVITIES[activity];
    rows.push(["State", state?.label ?? activity, state?.colour ?? ""]);
    if (recipe) rows.push(["Recipe", recipe]);
    rows.push(["Clock", `${short(clock * 100)} %`]);
    if (productivity !== null) rows.push(["Productivity", `${Math.round(productivity * 100)} %`]);
    for (const [label, amounts] of [
      ["Uses a minute", used],
      ["Makes a minute", made],
    ] as const)
      if (amounts && amounts.length > 0) rows.push([label, amounts.map((one) => amountText(one)).join(", ")]);
    if (takes_mw) rows.push(["Takes", `${short(takes_mw)} MW`]);
    if (generates_mw) rows.push(["Makes power", `${short(generates_mw)} MW`]);
  }
  if (stored) rows.push(["Holds", stored.items.map((one) => amountText(one, 0)).join(", ")]);
  return rows;
}

/** How far and which way from the middle of the world. */
function way(metres: number | undefined, onward: string, back: string): string {
  const whole = Math.round(metres ?? 0);
  return `${short(Math.abs(whole))} m ${whole < 0 ? back : onward}`;
}

function Card({ selection: { id, own, recording }, held }: { selection: Selection; held: Held | undefined }) {
  const name = recording.entities.name(id);
  const { value, error } = useLater<Details | null>(() => recording.source.details(recording.id, name), id);
  const rows = value?.rows ?? [];
  const first = FIRST.flatMap(([pattern, label]) =>
    rows
      .filter(([key]) => pattern.test(key))
      .slice(0, 1)
      .map(([key, text]) => ({ key, label, text })),
  );
  const taken = new Set(first.map(({ key }) => key));
  const place = recording.staticPlace(id);
  const at = place?.group.columns.get("position");
  const [x, y, z] = at && place ? Array.from(at.numbers.subarray(place.row * 3, place.row * 3 + 3)) : [];
  return (
    <>
      <h2>{own.name}</h2>
      <table>
        <tbody>
          {told(name, held).map(([label, text, colour]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                {colour && <i class="dot round" style={{ background: colour }} />} {text}
              </td>
            </tr>
          ))}
          {first.map(({ key, label, text }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              <td>{text}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Place</th>
            <td>
              {way(x, "east", "west")}, {way(z, "south", "north")}, {short(Math.round(y ?? 0))} m high
            </td>
          </tr>
        </tbody>
      </table>
      {value === undefined && <Pending error={error} />}
      <details>
        <summary class="note">Everything the save says</summary>
        <table>
          <tbody>
            <tr>
              <th scope="row">name</th>
              <td>{name}</td>
            </tr>
            {rows
              .filter(([key]) => !taken.has(key))
              .map(([key, text]) => (
                <tr key={key}>
                  <th scope="row">{key}</th>
                  <td>{text}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
