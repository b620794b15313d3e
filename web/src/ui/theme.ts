// Dark and light: as the system has it, until the person says otherwise.

const KEY = "postgame-theme";

export function startTheme(): void {
  const kept = localStorage.getItem(KEY);
  const system = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  document.documentElement.dataset["theme"] = kept ?? system;
}

export function toggleTheme(): void {
  const next = document.documentElement.dataset["theme"] === "light" ? "dark" : "light";
  document.documentElement.dataset["theme"] = next;
  localStorage.setItem(KEY, next);
}
