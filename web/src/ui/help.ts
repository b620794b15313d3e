// The sheet of keys.

import { el } from "../dom";

const KEYS: [string, string][] = [
  ["Space, K", "play, pause"], ["← →", "5 seconds back, on"], ["J L", "1 second back, on"], [", .", "one frame back, on"],
  ["P N", "previous, next event"], ["↑ ↓", "faster, slower"], ["0 … 9", "to that tenth of the recording"], ["Home End", "to the start, to the end"],
  ["R", "loop"], ["C", "next camera"], ["H", "camera home"], ["T", "dark, light"], ["B", "panel beside the scene"], ["Esc", "back to the list"], ["?", "this sheet"],
];

export function helpSheet(): HTMLDialogElement {
  const rows = KEYS.map(([keys, what]) => el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, keys)), el("td", {}, what)));
  const dialog = el(
    "dialog", { class: "help", "aria-label": "Keyboard shortcuts" }, el("h2", {}, "Keys"), el("table", {}, el("tbody", {}, ...rows)),
    el("p", { class: "note" }, "Free camera: drag to turn, right-drag to move, wheel to go nearer."),
    el("button", { type: "button", click: () => dialog.close() }, "Close"),
  );
  return dialog;
}
