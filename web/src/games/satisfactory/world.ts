// What machines do and what is stored where, asked for once, when somebody wants to know.

import type { Recording } from "../../data/recording";
import type { Amount, Holdings, Machine, Stored } from "../../data/source";

/** An item, how much of it lies in all places that were asked for, and in which things. */
export interface StoredItem {
  name: string;
  unit: string;
  total: number;
  owners: { owner: string; amount: number }[];
}

/** Machines and inventories by the names of things. */
export class Held {
  readonly machines = new Map<string, Machine>();
  readonly stored = new Map<string, Stored>();

  private constructor({ machines, stored }: Holdings) {
    for (const machine of machines) this.machines.set(machine.name, machine);
    for (const one of stored) this.stored.set(one.owner, one);
  }

  static async of(recording: Recording): Promise<Held> {
    return new Held(await recording.source.holdings(recording.id));
  }

  /** What places of some kinds hold, most first. */
  items(places: ReadonlySet<string>): StoredItem[] {
    const found = new Map<string, StoredItem>();
    for (const { owner, place, items } of this.stored.values()) {
      if (!places.has(place)) continue;
      for (const [name, amount, unit] of items) {
        const own = found.get(name) ?? { name, unit, total: 0, owners: [] };
        found.set(name, own);
        own.total += amount;
        own.owners.push({ owner, amount });
      }
    }
    for (const item of found.values()) item.owners.sort((a, b) => b.amount - a.amount);
    return [...found.values()].sort((a, b) => b.total - a.total);
  }
}

/** `60 Iron Plate`, `12 m³ Water`. */
export function amountText([name, amount, unit]: Amount, digits = 1): string {
  const number = Number(amount.toFixed(digits)).toLocaleString("en");
  return `${number}${unit ? ` ${unit}` : ""} ${name}`;
}

/** What a machine does, for people. */
export const ACTIVITIES: Record<string, { label: string; colour: string }> = {
  running: { label: "Running", colour: "#35c48a" },
  idle: { label: "Idle", colour: "#9aa4b2" },
  starved: { label: "Lacks an ingredient", colour: "#f4c63d" },
  blocked: { label: "Full", colour: "#f08a24" },
  unpowered: { label: "No power", colour: "#f0525b" },
  unconnected: { label: "Not connected", colour: "#c04be0" },
  no_recipe: { label: "No recipe", colour: "#4b94ff" },
  paused: { label: "Paused", colour: "#6d7b90" },
};
