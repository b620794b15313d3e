// The card of what was clicked: name, recipe, clock and contents first, everything else folded.

import type { Recording } from "../../data/recording";
import type { Details } from "../../data/source";
import { short } from "../../format";
import { Pending, useLater } from "../../ui/panels/later";
import type { FactoryClass } from "./boxes";
import { readable } from "./classes";

export interface Selection {
  id: number;
  own: FactoryClass;
  recording: Recording;
}

export function Selected({ selection }: { selection: Selection | undefined }) {
  return (
    <div class="details" aria-live="polite">
      {selection ? (
        <Card key={selection.id} selection={selection} />
      ) : (
        <p class="note">Click a building to see what it is.</p>
      )}
    </div>
  );
}

/** Of the save's own names, those that a person asks for first. */
const FIRST: [RegExp, string][] = [
  [/^mCurrentRecipe$/, "Recipe"],
  [/^mCurrentPotential$/, "Clock"],
  [/^mExtractableResource$/, "Resource node"],
  [/^mCurrentFuelClass$/, "Fuel"],
  [/^mIsProductionPaused$/, "Paused"],
  [/(Input|In)\w*Inventory.*mInventoryStacks$/, "Goes in"],
  [/(Output|Out)\w*Inventory.*mInventoryStacks$/, "Comes out"],
  [/Inventory.*mInventoryStacks$/, "Contents"],
  [/PowerInfo.*TargetConsumption$/i, "Power (MW)"],
];

function told(label: string, value: string): string {
  if (label === "Clock") return `${short(Number(value) * 100)} %`;
  if (label === "Recipe" || label === "Fuel") return readable(value);
  return value.includes("×")
    ? value
        .split(", ")
        .map((item) =>
          item.replace(/^(.*) × (\d+)/, (_, name: string, number: string) => `${readable(name)} × ${number}`),
        )
        .join(", ")
    : value;
}

function Card({ selection: { id, own, recording } }: { selection: Selection }) {
  const name = recording.entities.name(id);
  const { value, error } = useLater<Details | null>(() => recording.source.details(recording.id, name), id);
  const rows = value?.rows ?? [];
  const first = FIRST.flatMap(([pattern, label]) =>
    rows
      .filter(([key]) => pattern.test(key))
      .slice(0, 1)
      .map(([key, text]) => ({ key, label, text: told(label, text) })),
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
          {first.map(({ key, label, text }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              <td>{text}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Place</th>
            <td>
              {short(Math.round(x ?? 0))} east, {short(Math.round(z ?? 0))} south, {short(Math.round(y ?? 0))} m high
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
