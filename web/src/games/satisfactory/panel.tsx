// Beside the map of a factory: what was clicked, one search for everything, the layers with their counts, nodes by
// resource, and up to which height all is shown.

import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { count as counted } from "../../format";
import type { FactoryBoxes, FactoryClass } from "./boxes";
import { layerOf } from "./classes";
import { type Resource, type ResourceNodes, resourceColour } from "./nodes";
import { Selected, type Selection } from "./selected";
import type { Held } from "./world";

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
  /** What machines do and what lies where; asked for when it is looked at. */
  readonly held = signal<Held | undefined>(undefined);
  private isAsked = false;
  readonly nodes = signal<ResourceNodes | undefined>(undefined);
  readonly trouble = signal<string | undefined>(undefined);
  /** Counts changes of what is shown. */
  readonly changed = signal(0);
  /** What is higher than this is not shown, in metres; the lowest and the highest there is. */
  readonly top_m = signal(Number.POSITIVE_INFINITY);
  private readonly visited = new Map<string, number>();

  constructor(
    readonly boxes: FactoryBoxes,
    readonly heights_m: readonly [low: number, high: number],
    private readonly redraw: () => void,
    private readonly way: {
      /** Brings the camera to the next of a class, to a thing by its name, or to a place. */
      toClass: (own: FactoryClass) => void;
      toThing: (name: string) => void;
      toPlace: (position: [number, number, number]) => void;
      /** The class of a thing by its name. */
      find: (name: string) => FactoryClass | undefined;
      cut: (top_m: number) => void;
      ask: () => Promise<Held>;
    },
  ) {}

  fly(own: FactoryClass): void {
    this.way.toClass(own);
  }
  flyTo(name: string): void {
    this.way.toThing(name);
  }
  find(name: string): FactoryClass | undefined {
    return this.way.find(name);
  }

  /** Asks for what machines do and what lies where, once. */
  ask(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    this.way.ask().then(
      (held) => {
        this.held.value = held;
      },
      (error: unknown) => {
        this.isAsked = false;
        this.trouble.value = error instanceof Error ? error.message : String(error);
      },
    );
  }

  /** Goes to the next node of a resource. */
  flyToNode(resource: Resource): void {
    const places = this.nodes.peek()?.placesOf(resource) ?? [];
    const nth = this.visited.get(resource.name) ?? 0;
    this.visited.set(resource.name, nth + 1);
    const place = places[nth % Math.max(1, places.length)];
    if (place) this.way.toPlace(place);
  }

  showResource(resource: Resource, isShown: boolean): void {
    this.nodes.peek()?.show(resource, isShown);
    this.changed.value++;
    this.redraw();
  }

  cut(top_m: number): void {
    this.top_m.value = top_m;
    this.way.cut(top_m);
    this.redraw();
  }

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
  const selected = state.selection.value;
  useEffect(() => {
    if (selected) state.ask();
  }, [selected]);
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
      <Selected selection={selected} held={state.held.value} />
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
          <Resources state={state} />
          <Height state={state} />
        </>
      )}
    </div>
  );
}

function Layer({ state, name, classes }: { state: FactoryState; name: string; classes: FactoryClass[] }) {
  const isOpen = useSignal(false);
  const total = classes.reduce((sum, { count }) => sum + count, 0);
  return (
    <section class="category">
      <div class="layer">
        <label class="row">
          <input
            type="checkbox"
            checked={classes.some(({ isShown }) => isShown)}
            onChange={(event) => state.show(classes, event.currentTarget.checked)}
          />
          <i class="dot" style={{ background: layerOf(classes[0]?.category ?? "").colour }} />
          {name}
        </label>
        <span class="number">{total.toLocaleString("en")}</span>
        <button
          type="button"
          class="small"
          aria-expanded={isOpen.value}
          aria-label={`${counted(classes.length, "kind")} of ${name}`}
          onClick={() => {
            isOpen.value = !isOpen.peek();
          }}
        >
          {isOpen.value ? "▾" : "▸"}
        </button>
      </div>
      {isOpen.value && (
        <div class="classes">
          {[...classes]
            .sort((a, b) => b.count - a.count)
            .map((own) => (
              <ClassRow key={`${own.kind} ${own.name} ${own.start}`} state={state} own={own} />
            ))}
        </div>
      )}
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

function Resources({ state }: { state: FactoryState }) {
  const nodes = state.nodes.value;
  if (!nodes || nodes.resources.length === 0) return null;
  return (
    <section class="category">
      <h2>Resource nodes</h2>
      <p class="note">Larger is purer; filled where a machine stands.</p>
      {nodes.resources.map((resource) => (
        <div class="layer class" key={resource.name}>
          <label class="row">
            <input
              type="checkbox"
              checked={resource.isShown}
              onChange={(event) => state.showResource(resource, event.currentTarget.checked)}
            />
            <i class="dot round" style={{ background: resourceColour(resource.name) }} />
            {resource.name}
          </label>
          <span class="number" title={puritiesOf(resource)}>
            {resource.taken} of {resource.count}
          </span>
          <button
            type="button"
            class="small"
            aria-label={`Go to the next node of ${resource.name}`}
            onClick={() => state.flyToNode(resource)}
          >
            Go
          </button>
        </div>
      ))}
    </section>
  );
}

function puritiesOf({ byPurity }: Resource): string {
  return ["pure", "normal", "impure"]
    .flatMap((name) => (byPurity[name] ? [`${byPurity[name]} ${name}`] : []))
    .join(", ");
}

function Height({ state }: { state: FactoryState }) {
  const [low, high] = state.heights_m;
  if (high - low < 8) return null;
  const top = Math.min(high, state.top_m.value);
  return (
    <section class="category">
      <h2>Height</h2>
      <label class="height">
        <input
          type="range"
          min={Math.floor(low)}
          max={Math.ceil(high)}
          value={top}
          aria-label="Show only what is lower than"
          onInput={(event) => {
            const value = Number(event.currentTarget.value);
            state.cut(value >= Math.ceil(high) ? Number.POSITIVE_INFINITY : value);
          }}
        />
        <span class="number">{Number.isFinite(state.top_m.value) ? `below ${Math.round(top)} m` : "all"}</span>
      </label>
    </section>
  );
}
