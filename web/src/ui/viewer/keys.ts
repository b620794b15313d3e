// Keyboard shortcuts; the sheet in help.tsx lists them.

import { toggleTheme } from "../../state/theme";
import { helpIsOpen } from "../help";
import type { Viewer } from "./session";

export interface PageKeys {
  back: () => void;
  toggleSide: () => void;
  toggleAlone: () => void;
}

/** What has keys of its own: words are typed there, options are chosen. */
const TYPING = "input[type=search], input[type=text], input[type=number], select, textarea";
/** Keys that move within a slider or a row of tabs. */
const ARROWS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);
const OWN_ARROWS = "input[type=range], [role=tab]";
const OWN_SPACE = "button, input[type=checkbox], a, summary, label";

/** Listens until the returned function is called. */
export function shortcuts(viewer: Viewer, page: PageKeys): () => void {
  const { player } = viewer;
  const by = (seconds: number) => () => player.seek(player.time_s + seconds);
  const keys: Record<string, () => void> = {
    " ": () => player.toggle(),
    k: () => player.toggle(),
    ArrowLeft: by(-5),
    ArrowRight: by(5),
    j: by(-1),
    l: by(1),
    ",": () => player.step(-1),
    ".": () => player.step(1),
    p: () => player.jump(-1, viewer.isShown),
    n: () => player.jump(1, viewer.isShown),
    ArrowUp: () => player.faster(1),
    ArrowDown: () => player.faster(-1),
    r: () => player.setLooping(!player.isLooping),
    Home: () => player.seek(Number.NEGATIVE_INFINITY),
    End: () => player.seek(Number.POSITIVE_INFINITY),
    c: () => viewer.nextCamera(),
    h: () => viewer.goHome(),
    t: toggleTheme,
    b: page.toggleSide,
    f: page.toggleAlone,
    Escape: page.back,
    "?": () => {
      helpIsOpen.value = true;
    },
  };
  const listen = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    // A sheet that is open has all keys; Escape closes it and nothing else.
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      document.querySelector("dialog[open]")
    )
      return;
    if (target.matches(TYPING) && !(event.key === "Escape" && target.matches("select"))) return;
    if (ARROWS.has(event.key) && target.matches(OWN_ARROWS)) return;
    if ((event.key === " " || event.key === "Enter") && target.closest(OWN_SPACE)) return;
    if (/^\d$/.test(event.key)) {
      const { start_s, end_s } = viewer.recording;
      player.seek(start_s + ((end_s - start_s) * Number(event.key)) / 10);
    } else {
      const run = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!run) return;
      run();
    }
    event.preventDefault();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
