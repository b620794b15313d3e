// The table of events: click to jump; kinds can be hidden, in the table and on the timeline.

import { wordColour } from "../colours";
import type { Recording } from "../data/recording";
import { clock, el } from "../dom";

/** More rows than this are not put into the page: filter to see the rest. */
const MOST_ROWS = 1500;

export class EventsPanel {
  readonly element = el("div", { class: "panel events" });
  private readonly hidden = new Set<string>();
  private readonly body = el("tbody");
  private readonly note = el("p", { class: "note" });
  private readonly search = el("input", { type: "search", placeholder: "Filter events", "aria-label": "Filter events", input: () => this.show() });
  private current: HTMLElement | undefined;
  private rows: [number, HTMLElement][] = [];

  constructor(private readonly recording: Recording, private readonly seek: (time_s: number) => void, private readonly onFilter: () => void) {
    const counts = new Map<string, number>();
    for (const { kind } of recording.events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const kinds = [...counts].sort().map(([kind, count]) => {
      const box = el("input", { type: "checkbox", checked: true, change: () => this.toggle(kind, box.checked) });
      const dot = el("i", { class: "dot" });
      dot.style.background = wordColour(kind);
      return el("label", {}, box, dot, `${kind} (${count})`);
    });
    const head = ["Time", "What", "Who", "Whom", "Details"].map((name) => el("th", { scope: "col" }, name));
    this.element.append(
      el("fieldset", { class: "kinds" }, el("legend", {}, "Kinds"), ...kinds), this.search, this.note,
      el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...head)), this.body)),
    );
    this.show();
  }

  isShown = (kind: string): boolean => !this.hidden.has(kind);

  private toggle(kind: string, isShown: boolean): void {
    if (isShown) this.hidden.delete(kind);
    else this.hidden.add(kind);
    this.show();
    this.onFilter();
  }

  private show(): void {
    const wanted = this.search.value.trim().toLowerCase();
    const name = (id: number | null) => this.recording.entity(id)?.name ?? "";
    const found = this.recording.events
      .map((event) => {
        const details = Object.entries(event.details).map(([key, value]) => `${key} ${value}`).join(", ");
        return { event, cells: [event.kind, name(event.who), name(event.whom), details] };
      })
      .filter(({ event, cells }) => this.isShown(event.kind) && (!wanted || cells.some((cell) => cell.toLowerCase().includes(wanted))));
    this.note.textContent = found.length > MOST_ROWS ? `The first ${MOST_ROWS} of ${found.length}` : "";
    this.rows = found.slice(0, MOST_ROWS).map(({ event, cells }) => {
      const jump = el("button", { type: "button", class: "jump", click: () => this.seek(event.time_s) }, clock(event.time_s - this.recording.start_s));
      return [event.time_s, el("tr", {}, el("td", {}, jump), ...cells.map((cell) => el("td", {}, cell)))];
    });
    this.body.replaceChildren(...this.rows.map(([, row]) => row));
  }

  /** Marks the last event before the playhead. */
  showTime(time_s: number): void {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.rows[middle]?.[0] ?? 0) <= time_s) low = middle + 1;
      else high = middle;
    }
    const row = this.rows[low - 1]?.[1];
    if (row === this.current) return;
    this.current?.classList.remove("current");
    row?.classList.add("current");
    this.current = row;
  }
}
