// The list of recordings: fills while headers are read, sorted and filtered by the person.

import { type Row, api } from "../data/api";
import { clock, el, setText } from "../dom";

type Key = "game" | "file" | "date" | "map" | "length" | "score" | "players";
const COLUMNS: [Key, string][] = [
  ["game", "Game"], ["file", "File"], ["date", "Date"], ["map", "Map"], ["length", "Length"], ["score", "Score"], ["players", "Players"],
];

export class ListView {
  readonly element = el("main", { class: "list" });
  private readonly rows: Row[] = [];
  private readonly body = el("tbody");
  private readonly state = el("p", { role: "status", class: "state" }, "Reading …");
  private readonly search = el("input", {
    type: "search", placeholder: "Filter: name, map, player, game …", "aria-label": "Filter recordings", input: () => this.show(),
  });
  private readonly heads = new Map<Key, HTMLElement>();
  private key: Key = "date";
  private isDown = true;
  private isClosed = false;

  constructor(private readonly open: (id: number) => void) {
    const head = el("tr");
    for (const [key, name] of COLUMNS) {
      const cell = el("th", { scope: "col" }, el("button", { type: "button", click: () => this.sort(key) }, name));
      this.heads.set(key, cell);
      head.append(cell);
    }
    this.element.append(
      el("h1", {}, "Recordings"), el("div", { class: "tools" }, this.search, this.state),
      el("div", { class: "scroll" }, el("table", {}, el("thead", {}, head), this.body)),
    );
    void this.fill();
  }

  /** All rows that have come so far. */
  get all(): readonly Row[] { return this.rows; }

  close(): void { this.isClosed = true; }

  private async fill(): Promise<void> {
    try {
      while (!this.isClosed) {
        const { total, read, rows } = await api.rows(this.rows.length);
        this.rows.push(...rows);
        setText(this.state, read < total ? `${read} of ${total} read` : `${total} recording${total === 1 ? "" : "s"}`);
        if (rows.length > 0) this.show();
        if (read >= total) return;
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    } catch (error) {
      setText(this.state, `The server does not answer: ${String(error)}`);
    }
  }

  private sort(key: Key): void {
    this.isDown = key === this.key ? !this.isDown : false;
    this.key = key;
    this.show();
  }

  private show(): void {
    const wanted = this.search.value.trim().toLowerCase().split(/\s+/);
    const found = this.rows.filter((row) => wanted.every((word) => COLUMNS.some(([key]) => text(row, key).toLowerCase().includes(word))));
    const order = this.isDown ? -1 : 1;
    const value = (row: Row) => (this.key === "length" ? (row.summary?.duration_s ?? -1) : text(row, this.key));
    found.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      return order * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y))) || a.id - b.id;
    });
    for (const [key, cell] of this.heads) {
      cell.setAttribute("aria-sort", key !== this.key ? "none" : this.isDown ? "descending" : "ascending");
    }
    this.body.replaceChildren(...found.map((row) => this.line(row)));
  }

  private line(row: Row): HTMLElement {
    const cells = COLUMNS.map(([key, name]) => {
      const content = key === "file" && !row.error ? el("a", { href: `#/r/${row.id}` }, row.file) : text(row, key);
      return el("td", { "data-label": name }, content);
    });
    if (row.error) {
      return el("tr", { class: "broken" }, cells[0] as Node, cells[1] as Node, el("td", { colspan: COLUMNS.length - 2 }, row.error));
    }
    return el("tr", { click: () => this.open(row.id) }, ...cells);
  }
}

function text({ file, game, summary, error }: Row, key: Key): string {
  switch (key) {
    case "game": return game ?? (error ? "unreadable" : "");
    case "file": return file;
    case "date": return summary?.date?.replace("T", " ").slice(0, 16) ?? "";
    case "map": return summary?.map ?? "";
    case "length": return summary?.duration_s === undefined ? "" : clock(summary.duration_s).replace(/\.\d+$/, "");
    case "score": return summary?.score ?? "";
    case "players": return summary?.players.map(({ name }) => name).join(", ") ?? "";
  }
}
