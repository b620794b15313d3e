// Pages of a factory: what it makes and lacks, its power, how far it got.

import type { ComponentChildren } from "preact";
import type { StatGroup } from "../../data/source";
import { short, words } from "../../format";
import { ACTIVITIES } from "./world";

export type Groups = Record<string, StatGroup>;

const numberOf = (group: StatGroup | undefined, key: string): number | undefined => {
  const value = group?.[key];
  return typeof value === "number" ? value : undefined;
};
const listOf = (group: StatGroup | undefined, key: string): number[] => {
  const value = group?.[key];
  return Array.isArray(value) ? value.map((one) => one ?? 0) : [];
};

function Empty({ children }: { children: ComponentChildren }) {
  return <p class="note">{children}</p>;
}

interface Item {
  name: string;
  made: number;
  used: number;
  balance: number;
  ifAllRun: number;
}

/** Rates by item, out of `Iron Plate, made_per_min` and the like; the largest turnover first. */
function itemsOf(group: StatGroup | undefined): Item[] {
  const found = new Map<string, Item>();
  const KEYS: Record<string, keyof Omit<Item, "name">> = {
    made_per_min: "made",
    used_per_min: "used",
    balance_per_min: "balance",
    balance_if_all_run_per_min: "ifAllRun",
  };
  for (const [key, value] of Object.entries(group ?? {})) {
    const at = key.lastIndexOf(", ");
    const what = KEYS[key.slice(at + 2)];
    if (!what || typeof value !== "number") continue;
    const name = key.slice(0, at);
    const own = found.get(name) ?? { name, made: 0, used: 0, balance: 0, ifAllRun: 0 };
    found.set(name, own);
    own[what] = value;
  }
  return [...found.values()].sort((a, b) => b.made + b.used - (a.made + a.used));
}

export function ProductionPage({ groups }: { groups: Groups }) {
  const items = itemsOf(groups["production"]);
  const activity = groups["machine_activity"];
  const short_items = items.filter(({ ifAllRun }) => ifAllRun < -1e-6);
  if (items.length === 0) return <Empty>No machine makes anything here.</Empty>;
  const most = Math.max(...items.map(({ made, used }) => Math.max(made, used)));
  return (
    <div class="panel production">
      {activity && <Activity group={activity} />}
      {short_items.length > 0 && (
        <section>
          <h2>Runs short if all machines run</h2>
          <ul class="tags">
            {short_items.map(({ name, ifAllRun }) => (
              <li key={name}>
                {name} <b>{short(ifAllRun)}</b>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>Items a minute</h2>
        <table class="rates">
          <thead>
            <tr>
              <th scope="col">Item</th>
              <th scope="col">Made</th>
              <th scope="col">Used</th>
              <th scope="col">Left over</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ name, made, used, balance }) => (
              <tr key={name}>
                <th scope="row">
                  {name}
                  <span class="twin" aria-hidden="true">
                    <i class="made" style={{ width: `${((made / most) * 100).toFixed(1)}%` }} />
                    <i class="used" style={{ width: `${((used / most) * 100).toFixed(1)}%` }} />
                  </span>
                </th>
                <td>{short(made)}</td>
                <td>{short(used)}</td>
                <td class={balance < -1e-6 ? "lacks" : undefined}>{short(balance)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p class="note">Of machines that run now. Blue: made. Orange: used.</p>
      </section>
    </div>
  );
}

function Activity({ group }: { group: StatGroup }) {
  const all = Object.entries(group).flatMap(([key, value]) =>
    typeof value === "number" && value > 0 ? [{ key, value }] : [],
  );
  const total = all.reduce((sum, { value }) => sum + value, 0);
  return (
    <section>
      <h2>What {short(total)} machines do</h2>
      <div class="stack" aria-hidden="true">
        {all.map(({ key, value }) => (
          <i key={key} style={{ flex: value, background: ACTIVITIES[key]?.colour }} />
        ))}
      </div>
      <ul class="legend">
        {all.map(({ key, value }) => (
          <li key={key}>
            <i class="dot" style={{ background: ACTIVITIES[key]?.colour }} />
            {ACTIVITIES[key]?.label ?? words(key)} <b>{short(value)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function PowerPage({ groups }: { groups: Groups }) {
  const circuits = groups["circuits"];
  const rating = groups["power_by_rating"];
  const ids = listOf(circuits, "id");
  const [made, used, stored, members] = ["production_mw", "consumption_mw", "stored_mwh", "members"].map((key) =>
    listOf(circuits, key),
  ) as [number[], number[], number[], number[]];
  const rows = ids
    .map((id, index) => ({
      id,
      made: made[index] ?? 0,
      used: used[index] ?? 0,
      stored: stored[index] ?? 0,
      members: members[index] ?? 0,
    }))
    .sort((a, b) => b.used - a.used || b.members - a.members);
  const users = Object.entries(rating ?? {}).flatMap(([key, value]) =>
    key.endsWith(", mw") && typeof value === "number" ? [{ name: key.slice(0, -4), value }] : [],
  );
  if (rows.length === 0 && users.length === 0) return <Empty>Nothing is wired here.</Empty>;
  const power = groups["power"];
  const cards: [string, number | undefined][] = [
    ["Can be made (MW)", numberOf(power, "production_mw")],
    ["Taken now (MW)", numberOf(power, "consumption_mw")],
    ["Taken if all run (MW)", numberOf(rating, "taken_if_all_run_mw")],
    ["In batteries (MWh)", numberOf(power, "stored_mwh")],
  ];
  const most = Math.max(1e-9, ...users.map(({ value }) => value));
  return (
    <div class="panel power">
      <dl class="cards">
        {cards.map(([label, value]) =>
          value === undefined ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{short(value)}</dd>
            </div>
          ),
        )}
      </dl>
      {rows.length > 0 && (
        <section>
          <h2>Circuits</h2>
          <ul>
            {rows.slice(0, MAX_CIRCUITS).map((row) => (
              <Circuit key={row.id} {...row} />
            ))}
          </ul>
          {rows.length > MAX_CIRCUITS && <p class="note">{rows.length - MAX_CIRCUITS} more that take less.</p>}
        </section>
      )}
      {users.length > 0 && (
        <section class="totals">
          <h2>Takes most</h2>
          <ul>
            {users.map(({ name, value }) => (
              <li class="total" key={name}>
                <span class="what">{name}</span>
                <b>{short(value)} MW</b>
                <span class="length">
                  <i style={{ width: `${((value / most) * 100).toFixed(1)}%` }} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const MAX_CIRCUITS = 20;

function Circuit(props: { id: number; made: number; used: number; stored: number; members: number }) {
  const { id, made, used, stored, members } = props;
  const most = Math.max(1e-9, made, used);
  const isOver = used > made;
  return (
    <li class={isOver ? "circuit over" : "circuit"}>
      <span class="what">
        Circuit {id} <span class="note">{short(members)} buildings</span>
      </span>
      <b>
        {short(used)} of {short(made)} MW
      </b>
      <span class="length">
        <i style={{ width: `${((Math.min(used, made) / most) * 100).toFixed(1)}%` }} />
        <i class="rest" style={{ width: `${(((most - Math.min(used, made)) / most) * 100).toFixed(1)}%` }} />
      </span>
      {isOver && <span class="note">Takes more than is made{stored > 0 ? `; ${short(stored)} MWh in store` : ""}</span>}
    </li>
  );
}

/** Amounts that a step of progress asks for: `Step, item, cost`, `… delivered`, `… stored`, `… missing`. */
interface Need {
  item: string;
  cost: number;
  delivered: number;
  stored: number;
}

function needsOf(group: StatGroup | undefined): [step: string, needs: Need[]][] {
  const steps = new Map<string, Map<string, Need>>();
  for (const [key, value] of Object.entries(group ?? {})) {
    const parts = key.split(", ");
    const what = parts.pop() as "cost" | "delivered" | "stored" | "missing";
    const item = parts.pop();
    if (!item || typeof value !== "number") continue;
    const step = parts.join(", ");
    const needs = steps.get(step) ?? new Map<string, Need>();
    steps.set(step, needs);
    const need = needs.get(item) ?? { item, cost: 0, delivered: 0, stored: 0 };
    needs.set(item, need);
    if (what !== "missing") need[what] = value;
  }
  return [...steps].map(([step, needs]) => [step, [...needs.values()]]);
}

export function ProgressPage({ groups }: { groups: Groups }) {
  const progress = Object.entries(groups["progress"] ?? {});
  const shares = sharesOf(progress);
  const texts = progress.filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "");
  const steps = needsOf(groups["needs"]);
  const finds = sharesOf(Object.entries(groups["collectibles"] ?? {}));
  if (progress.length === 0 && finds.length === 0) return <Empty>Nothing is told of milestones here.</Empty>;
  return (
    <div class="panel progress">
      {texts.length > 0 && (
        <dl class="facts">
          {texts.map(([key, value]) => (
            <div key={key}>
              <dt>{words(key)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {steps.map(([step, needs]) => (
        <section key={step}>
          <h2>{step}</h2>
          <ul>
            {needs.map(({ item, cost, delivered, stored }) => (
              <Meter
                key={item}
                name={item}
                done={delivered}
                ready={Math.min(stored, Math.max(0, cost - delivered))}
                all={cost}
              />
            ))}
          </ul>
        </section>
      ))}
      {shares.length > 0 && (
        <section>
          <h2>Unlocked</h2>
          <ul>
            {shares.map(({ name, done, all }) => (
              <Meter key={name} name={words(name)} done={done} ready={0} all={all} />
            ))}
          </ul>
        </section>
      )}
      {finds.length > 0 && (
        <section>
          <h2>Found in the world</h2>
          <ul>
            {finds.map(({ name, done, all }) => (
              <Meter key={name} name={words(name)} done={done} ready={0} all={all} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Pairs of numbers that belong together: done and all, or found and left. */
function sharesOf(entries: [string, unknown][]): { name: string; done: number; all: number }[] {
  const values = new Map(entries);
  return entries.flatMap(([key, value]) => {
    if (typeof value !== "number") return [];
    const found = /^(.*), (done|found|unlocked|bought)$/.exec(key);
    if (!found) return [];
    const name = found[1] ?? "";
    const all = values.get(`${name}, all`) ?? values.get(`${name}, of`);
    const left = values.get(`${name}, left`);
    if (typeof all === "number") return [{ name, done: value, all }];
    return typeof left === "number" ? [{ name, done: value, all: value + left }] : [];
  });
}

function Meter({ name, done, ready, all }: { name: string; done: number; ready: number; all: number }) {
  const part = (value: number) => `${((Math.min(value, all) / Math.max(1e-9, all)) * 100).toFixed(1)}%`;
  return (
    <li class="meter">
      <span class="what">{name}</span>
      <b>
        {short(done)} of {short(all)}
      </b>
      <span class="length">
        <i style={{ width: part(done) }} />
        <i class="rest" style={{ width: part(ready) }} />
      </span>
      {ready > 0 && <span class="note">{short(ready)} more in store</span>}
    </li>
  );
}
