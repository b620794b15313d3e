// The page: a bar, and below it the list or a recording.

import "./style.css";
import { button, el, setText } from "./dom";
import { icon } from "./icons";
import { helpSheet } from "./ui/help";
import { parse } from "./ui/link";
import { ListView } from "./ui/list";
import { startTheme, toggleTheme } from "./ui/theme";
import { Viewer } from "./ui/viewer";

declare global {
  interface Window { postgame: { viewer: Viewer | undefined } }
}

startTheme();
const app = document.getElementById("app") as HTMLElement;
const title = el("h1", {}, "Postgame");
const help = helpSheet();
const back = el("a", { href: "#/", class: "back", "aria-label": "All recordings", title: "All recordings" }, icon("list"));
const list = new ListView((id) => (location.hash = `#/r/${id}`));
const content = el("div", { class: "content" }, list.element);
const bar = el(
  "header", { class: "bar" }, back, title,
  button(icon("theme"), "Dark or light", () => { toggleTheme(); window.postgame.viewer?.stage.applyTheme(); }), button(icon("help"), "Keyboard shortcuts", () => help.showModal()),
);
app.append(bar, content, help);
window.postgame = { viewer: undefined };

async function show(place = parse(location.hash)): Promise<void> {
  window.postgame.viewer?.close();
  window.postgame.viewer = undefined;
  if (!place) {
    setText(title, "Postgame");
    content.replaceChildren(list.element);
    return;
  }
  if (!place.isLive) content.replaceChildren(el("p", { class: "state", role: "status" }, "Opening …"));
  try {
    const viewer = await Viewer.open(place, () => (location.hash = "#/"), (next) => void show(next));
    window.postgame.viewer = viewer;
    const { game, summary } = viewer.recording.outline;
    setText(title, [game, summary.map, summary.players.map(({ name }) => name).join(", ")].filter(Boolean).join(" · "));
    content.replaceChildren(viewer.element);
  } catch (error) {
    content.replaceChildren(el("p", { class: "state", role: "alert" }, error instanceof Error ? error.message : String(error)));
  }
}

addEventListener("hashchange", () => void show());
void show();
