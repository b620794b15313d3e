// Panels beside the scene, one at a time, by the ARIA pattern for tabs: arrows move between them, Home and End to the ends.

import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Panel } from "../../scene/game";

/** The tab that was looked at last; kept from one recording to the next. */
const chosen = signal("overview");

export function Tabs({ panels }: { panels: Panel[] }) {
  const list = useRef<HTMLDivElement>(null);
  const current = panels.find(({ id }) => id === chosen.value) ?? panels[0];
  if (!current) return null;
  const move = (event: KeyboardEvent) => {
    const here = panels.indexOf(current);
    const next = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: panels.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const panel = panels[(next + panels.length) % panels.length];
    if (!panel) return;
    chosen.value = panel.id;
    list.current?.querySelector<HTMLElement>(`#tab-${panel.id}`)?.focus();
  };
  return (
    <aside class="side" aria-label="Details">
      <div class="tabs" role="tablist" aria-label="Details" ref={list} onKeyDown={move}>
        {panels.map(({ id, label }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === current.id}
            aria-controls="panel"
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => {
              chosen.value = id;
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <div
        class="tab-body"
        id="panel"
        role="tabpanel"
        aria-labelledby={`tab-${current.id}`}
        tabIndex={0}
        key={current.id}
      >
        {current.render()}
      </div>
    </aside>
  );
}
