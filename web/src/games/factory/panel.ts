// Beside the map of a factory: what was clicked, the layers, and the classes with search and filter.

import { type Details, api } from "../../data/api";
import type { Recording } from "../../data/recording";
import { button, el, words } from "../../dom";
import type { FactoryBoxes, FactoryClass } from "./boxes";
import { colourOf } from "./classes";

export class FactoryPanel {
  readonly element: HTMLElement;
  private readonly details = el("div", { class: "details", "aria-live": "polite" }, el("p", { class: "note" }, "Click a building to see what it is."));
  private readonly layers = el("div", { class: "layers" });
  private readonly list = el("div", { class: "classes" });
  private readonly search = el("input", { type: "search", placeholder: "Search classes", "aria-label": "Search classes", input: () => this.showList() });

  constructor(private readonly recording: Recording, private readonly boxes: FactoryBoxes, private readonly redraw: () => void) {
    const all = (isShown: boolean) => () => this.show(this.boxes.classes, isShown);
    const buttons = el("div", { class: "tools" }, button("Show all", "Show all classes", all(true)), button("Show none", "Hide all classes", all(false)));
    const saves = el("div");
    this.element = el("div", { class: "panel factory" }, saves, this.details, this.layers, this.search, buttons, this.list);
    this.showList();
    void this.session(saves);
  }

  /** A layer beside the boxes: lines of a kind, the fog. */
  addLayer(name: string, colour: string, show: (isShown: boolean) => void, isShown = true): void {
    const box = el("input", { type: "checkbox", checked: isShown, change: () => { show(box.checked); this.redraw(); } });
    const dot = el("i", { class: "dot" });
    dot.style.background = colour;
    this.layers.append(el("label", {}, box, dot, name));
  }

  private show(classes: FactoryClass[], isShown: boolean): void {
    this.boxes.show(classes, isShown);
    this.showList();
    this.redraw();
  }

  private showList(): void {
    const wanted = this.search.value.trim().toLowerCase();
    const found = this.boxes.classes.filter(({ name, category }) => name.toLowerCase().includes(wanted) || category.includes(wanted));
    const categories = [...new Set(found.map(({ category }) => category))].sort();
    this.list.replaceChildren(...categories.map((category) => {
      const own = found.filter((one) => one.category === category).sort((a, b) => b.count - a.count);
      const dot = el("i", { class: "dot" });
      dot.style.background = colourOf(category);
      const all = el("input", { type: "checkbox", checked: own.some(({ isShown }) => isShown), change: () => this.show(own, all.checked) });
      const total = own.reduce((sum, { count }) => sum + count, 0);
      const rows = own.map((one) => {
        const box = el("input", { type: "checkbox", checked: one.isShown, change: () => this.show([one], box.checked) });
        return el("label", { class: "class" }, box, one.name, el("span", { class: "note" }, String(one.count)));
      });
      return el("fieldset", {}, el("legend", {}, el("label", {}, all, dot, `${category} (${total})`)), ...rows);
    }));
  }

  /** What the recording says of what was clicked; its recipe and inventories come when they are asked for. */
  tell(id: number, { name, category }: FactoryClass): void {
    const own = this.recording.entities.name(id);
    const facts: [string, string][] = [["name", own], ["category", category]];
    const place = this.recording.staticPlace(id);
    for (const [column, { kind, width, numbers, names }] of place?.group.columns ?? []) {
      if (kind === "rotation" || !place) continue;
      const values = Array.from(numbers.subarray(place.row * width, (place.row + 1) * width));
      facts.push([words(column), kind === "name" ? (names[values[0] ?? 0] ?? "") : values.map((value) => value.toFixed(2)).join(", ")]);
    }
    const row = ([key, value]: [string, string]) => el("tr", {}, el("th", { scope: "row" }, key), el("td", {}, value));
    const rows = el("tbody", {}, ...facts.map(row));
    this.details.replaceChildren(el("h3", {}, name), el("table", {}, rows));
    void api.details(this.recording.id, own).then((found: Details | null) => {
      // The game's own names begin with an m: mCurrentRecipe.
      const told = (key: string) => key.replace(/\bm(?=[A-Z])/g, "").replace(/([a-z])(?=[A-Z])/g, "$1 ").toLowerCase();
      for (const [key, value] of found?.rows ?? []) rows.append(row([told(key), value]));
    });
  }

  tellNothing(): void {
    this.details.replaceChildren(el("p", { class: "note" }, "Click a building to see what it is."));
  }

  /** Other saves of the same session, on a slider. */
  private async session(host: HTMLElement): Promise<void> {
    const { format, summary } = this.recording.outline;
    const session = summary.details["session"];
    const { rows } = await api.rows(0);
    const saves = rows.filter((row) => session && row.format === format && row.summary?.details["session"] === session)
      .sort((a, b) => (a.summary?.duration_s ?? 0) - (b.summary?.duration_s ?? 0) || (a.summary?.date ?? "").localeCompare(b.summary?.date ?? ""));
    if (saves.length < 2) return;
    const here = saves.findIndex(({ id }) => id === this.recording.id);
    const go = () => {
      // The same view of another save: only what the link says of the camera is kept.
      const view = location.hash.replace(/^[^?]*\??/, "").replace(/(^|&)t=[^&]*/, "");
      location.hash = `#/r/${saves[Number(slider.value)]?.id}${view ? `?${view.replace(/^&/, "")}` : ""}`;
    };
    const slider: HTMLInputElement = el("input", { type: "range", min: 0, max: saves.length - 1, value: here, "aria-label": "Save of this session", change: go });
    host.append(el("label", { class: "session" }, `Save ${here + 1} of ${saves.length} of this session`, slider));
  }
}
