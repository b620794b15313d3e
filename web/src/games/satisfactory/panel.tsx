// Beside the map of a factory: what was clicked, one search for everything, the layers with their counts.

import { signal, useSignal } from "@preact/signals";
import { count as counted } from "../../format";
import type { FactoryBoxes, FactoryClass } from "./boxes";
import { layerOf } from "./classes";
import { Selected, type Selection } from "./selected";

/** More classes than this are not listed at once. */
const MAX_FOUND = 60;

/** A layer beside the boxes: lines of a kind, the land. */
export interface ExtraLayer {
  name: string;
  colour: string;
  show: (isShown: boolean) => void;
}

export class FactoryState {
  readonly selection = signal<Selection | undefined>(undefined);
  readonly extra = signal<readonly ExtraLayer[]>([]);
  /** Counts changes of what is shown. */
  readonly changed = signal(0);

  constructor(
    readonly boxes: FactoryBoxes,
    private readonly redraw: () => void,
    /** Brings the camera to the next of a class. */
    readonly fly: (own: FactoryClass) => void,
  ) {}

  show(classes: FactoryClass[], isShown: boolean): void {
    this.boxes.show(classes, isShown);
    this.changed.value++;
    this.redraw();
  }

  showExtra(layer: ExtraLayer, isShown: boolean): void {
    layer.show(isShown);
    this.redraw();
  }
}

export function FactoryPanel({ state }: { state: FactoryState }) {
  const search = useSignal("");
  void state.changed.value;
  const wanted = search.value.trim().toLowerCase();
  const { classes } = state.boxes;
  const layers = new Map<string, FactoryClass[]>();
  for (const own of classes)
    layers.set(layerOf(own.category).name, [...(layers.get(layerOf(own.category).name) ?? []), own]);
  const sorted = [...layers].sort(
    ([, a], [, b]) => layerOf(a[0]?.category ?? "").rank - layerOf(b[0]?.category ?? "").rank,
  );
  return (
    <div class="panel factory">
      <Selected selection={state.selection.value} />
      <input
        type="search"
        placeholder="Search buildings, nodes, items …"
        aria-label="Search classes"
        value={search.value}
        onInput={(event) => {
          search.value = event.currentTarget.value;
        }}
      />
      {wanted ? (
        <Found
          state={state}
          classes={classes.filter(({ name, category }) => `${name} ${category}`.toLowerCase().includes(wanted))}
        />
      ) : (
        <>
          <div class="tools">
            <button type="button" aria-label="Show all classes" onClick={() => state.show(classes, true)}>
              Show all
            </button>
            <button type="button" aria-label="Show none of the classes" onClick={() => state.show(classes, false)}>
              Show none
            </button>
          </div>
          {sorted.map(([name, own]) => (
            <Layer key={name} state={state} name={name} classes={own} />
          ))}
          {state.extra.value.map((layer) => (
            <Extra key={layer.name} state={state} layer={layer} />
          ))}
        </>
      )}
    </div>
  );
}

function Layer({ state, name, classes }: { state: FactoryState; name: string; classes: FactoryClass[] }) {
  const total = classes.reduce((sum, { count }) => sum + count, 0);
  return (
    <section class="category">
      <label class="layer">
        <input
          type="checkbox"
          checked={classes.some(({ isShown }) => isShown)}
          onChange={(event) => state.show(classes, event.currentTarget.checked)}
        />
        <i class="dot" style={{ background: layerOf(classes[0]?.category ?? "").colour }} />
        {name}
        <span class="number">{total.toLocaleString("en")}</span>
      </label>
      <details>
        <summary class="note">{counted(classes.length, "kind")}</summary>
        {[...classes]
          .sort((a, b) => b.count - a.count)
          .map((own) => (
            <ClassRow key={`${own.kind} ${own.name} ${own.start}`} state={state} own={own} />
          ))}
      </details>
    </section>
  );
}

function ClassRow({ state, own }: { state: FactoryState; own: FactoryClass }) {
  return (
    <div class="layer class">
      <label class="row">
        <input
          type="checkbox"
          checked={own.isShown}
          onChange={(event) => state.show([own], event.currentTarget.checked)}
        />
        {own.name}
      </label>
      <span class="number">{own.count.toLocaleString("en")}</span>
      <button type="button" class="small" aria-label={`Go to the next ${own.name}`} onClick={() => state.fly(own)}>
        Go
      </button>
    </div>
  );
}

function Found({ state, classes }: { state: FactoryState; classes: FactoryClass[] }) {
  if (classes.length === 0) return <p class="note">Nothing of this name stands in this world.</p>;
  const sorted = [...classes].sort((a, b) => b.count - a.count);
  return (
    <div>
      {sorted.slice(0, MAX_FOUND).map((own) => (
        <ClassRow key={`${own.kind} ${own.name} ${own.start}`} state={state} own={own} />
      ))}
      {sorted.length > MAX_FOUND && <p class="note">{sorted.length - MAX_FOUND} more: say more of the name.</p>}
    </div>
  );
}

function Extra({ state, layer }: { state: FactoryState; layer: ExtraLayer }) {
  return (
    <label class="layer">
      <input type="checkbox" defaultChecked onChange={(event) => state.showExtra(layer, event.currentTarget.checked)} />
      <i class="dot" style={{ background: layer.colour }} />
      {layer.name}
    </label>
  );
}
