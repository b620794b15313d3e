// Keyboard shortcuts; the sheet in help.ts lists them.

import { helpSheet } from "./help";
import { toggleTheme } from "./theme";
import type { Viewer } from "./viewer";

/** Listens until the returned function is called. */
export function shortcuts(viewer: Viewer, onBack: () => void): () => void {
  const help = helpSheet();
  viewer.element.append(help);
  const { player } = viewer;
  const by = (seconds: number) => () => player.seek(player.time_s + seconds);
  const keys: Record<string, () => void> = {
    " ": () => player.toggle(), k: () => player.toggle(), ArrowLeft: by(-5), ArrowRight: by(5), j: by(-1), l: by(1),
    ",": () => player.step(-1), ".": () => player.step(1), p: () => player.jump(-1, viewer.events.isShown), n: () => player.jump(1, viewer.events.isShown),
    ArrowUp: () => player.faster(1), ArrowDown: () => player.faster(-1), r: () => player.setLooping(!player.isLooping),
    Home: () => player.seek(-Infinity), End: () => player.seek(Infinity), c: () => viewer.nextCamera(), h: () => viewer.goHome(),
    t: () => { toggleTheme(); viewer.stage.applyTheme(); }, b: () => viewer.tabs.toggle(), Escape: onBack, "?": () => help.showModal(),
  };
  const listen = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const isTyping = target.matches("input[type=search], input[type=text], select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping || help.open) return;
    const isOnButton = event.key === " " && target.matches("button, input[type=checkbox], a");
    const digit = /^\d$/.test(event.key) ? Number(event.key) : undefined;
    if (digit !== undefined) {
      const { start_s, end_s } = viewer.recording;
      player.seek(start_s + ((end_s - start_s) * digit) / 10);
    } else if (!isOnButton && keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]) {
      keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]?.();
    } else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
