// An event in words.

import type { Recording } from "../data/recording";
import type { GameEvent } from "../data/source";
import { short, words } from "../format";
import { kindOf } from "./kinds";

/** What a number among an event's details is given with. */
function detail(name: string, value: string): string {
  const number = Number(value);
  const told = value !== "" && Number.isFinite(number) ? short(number) : value;
  return `${words(name).toLowerCase()} ${told}`;
}

export function detailsOf(event: GameEvent): string {
  return Object.entries(event.details)
    .map(([name, value]) => detail(name, value))
    .join(", ");
}

/** `Goal: Ada (score 1:0)`. */
export function sentence(recording: Recording, event: GameEvent): string {
  const { label } = kindOf(recording.outline.format, event.kind);
  const name = (id: number | null) => recording.entity(id)?.name;
  const [who, whom] = [name(event.who), name(event.whom)];
  const people = who && whom ? `${who} → ${whom}` : (who ?? whom ?? "");
  return people ? `${label}: ${people}` : label;
}
