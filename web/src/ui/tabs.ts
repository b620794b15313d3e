// Panels beside the scene, one at a time, made when they are first opened.

import { el } from "../dom";

export class Tabs {
  readonly element = el("aside", { class: "side", "aria-label": "Details" });
  private readonly list = el("div", { role: "tablist", class: "tabs" });
  private readonly body = el("div", { role: "tabpanel", class: "tab-body" });
  private readonly made = new Map<string, HTMLElement>();
  private readonly tabs = new Map<string, { tab: HTMLButtonElement; make: () => HTMLElement }>();

  constructor() {
    this.element.append(this.list, this.body);
  }

  add(id: string, label: string, make: () => HTMLElement): void {
    const tab = el("button", { type: "button", role: "tab", "data-tab": id, "aria-selected": "false", click: () => this.show(id) }, label);
    this.tabs.set(id, { tab, make });
    this.list.append(tab);
    if (this.tabs.size === 1) this.show(id);
  }

  show(id: string): void {
    const chosen = this.tabs.get(id);
    if (!chosen) return;
    for (const { tab } of this.tabs.values()) tab.setAttribute("aria-selected", String(tab === chosen.tab));
    let panel = this.made.get(id);
    if (!panel) {
      // A panel that comes later replaces what stands for it, so it is kept in a box of its own.
      panel = el("div", {}, chosen.make());
      this.made.set(id, panel);
    }
    this.body.replaceChildren(panel);
  }

  toggle(): void {
    this.element.hidden = !this.element.hidden;
  }
}
