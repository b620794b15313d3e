// What is stored, item by item, and where: a click flies there.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Pending } from "../../ui/panels/later";
import type { FactoryState } from "./panel";
import { amountText, type StoredItem } from "./world";

const PLACES: [id: string, label: string, places: string[]][] = [
  ["storage", "In storage", ["storage", "depot"]],
  ["all", "Anywhere", ["storage", "depot", "machines", "buildings", "players", "vehicles", "ground"]],
];
/** More items than this are shown when they are searched for, and more places of one item not at all. */
const MAX_ITEMS = 80;
const MAX_OWNERS = 40;

export function StoragePage({ state }: { state: FactoryState }) {
  const search = useSignal("");
  const where = useSignal("storage");
  const held = state.held.value;
  useEffect(() => state.ask(), [state]);
  const places = PLACES.find(([id]) => id === where.value)?.[2] ?? [];
  const items = useMemo(() => held?.items(new Set(places)) ?? [], [held, where.value]);
  if (!held) return <Pending error={state.trouble.value} />;
  const wanted = search.value.trim().toLowerCase();
  const found = items.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <div class="panel storage">
      <input
        type="search"
        placeholder="Search items …"
        aria-label="Search items"
        value={search.value}
        onInput={(event) => {
          search.value = event.currentTarget.value;
        }}
      />
      <fieldset class="chips">
        <legend class="unseen">Where</legend>
        {PLACES.map(([id, label]) => (
          <button
            key={id}
            type="button"
            class="chip small"
            aria-pressed={where.value === id}
            onClick={() => {
              where.value = id;
            }}
          >
            {label}
          </button>
        ))}
      </fieldset>
      {found.length === 0 && <p class="note">{wanted ? "No such item lies there." : "Nothing lies there."}</p>}
      {found.slice(0, MAX_ITEMS).map((item) => (
        <Item key={item.name} state={state} item={item} isOpen={wanted !== "" && found.length <= 3} />
      ))}
      {found.length > MAX_ITEMS && <p class="note">{found.length - MAX_ITEMS} more: search for them.</p>}
    </div>
  );
}

function Item({ state, item, isOpen }: { state: FactoryState; item: StoredItem; isOpen: boolean }) {
  const { name, unit, total, owners } = item;
  return (
    <details class="stored" open={isOpen}>
      <summary>
        <span class="what">{name}</span>
        <b>
          {Math.round(total).toLocaleString("en")} {unit}
        </b>
      </summary>
      <ul>
        {owners.slice(0, MAX_OWNERS).map(({ owner, amount }) => {
          const place = state.find(owner);
          return (
            <li key={owner}>
              <button type="button" class="storage-row" disabled={!place} onClick={() => state.flyTo(owner)}>
                <span>{place?.name ?? "Not on the map"}</span>
                <b>{amountText(["", amount, unit], 0).trim()}</b>
              </button>
            </li>
          );
        })}
      </ul>
      {owners.length > MAX_OWNERS && <p class="note">{owners.length - MAX_OWNERS} more places that hold less.</p>}
    </details>
  );
}
