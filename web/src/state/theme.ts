// Dark and light: as the system has it, until the person says otherwise.

import { signal } from "@preact/signals";

const KEY = "postgame-theme";

export const theme = signal<"dark" | "light">("dark");

export function startTheme(): void {
  const kept = localStorage.getItem(KEY);
  const system = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  set(kept === "dark" || kept === "light" ? kept : system);
}

export function toggleTheme(): void {
  set(theme.value === "light" ? "dark" : "light");
  localStorage.setItem(KEY, theme.value);
}

function set(value: "dark" | "light"): void {
  document.documentElement.dataset["theme"] = value;
  theme.value = value;
}

/** True when the person asked for little motion. */
export function wantsStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
