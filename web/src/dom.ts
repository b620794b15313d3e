// Making elements. Whatever comes from a recording is set as text, never as markup.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

/** An element with attributes, listeners (functions, by event name) and children; strings become text. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** A button with a label that screen readers say and a tooltip shows. */
export function button(face: string | Node, label: string, onClick: () => void, className = ""): HTMLButtonElement {
  return el("button", { type: "button", class: className, "aria-label": label, title: label, click: onClick }, face);
}

/** Sets text only when it changed: a write costs a layout. */
export function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Hours where there are any, minutes, seconds and hundredths. */
export function clock(time_s: number): string {
  const sign = time_s < 0 ? "-" : "";
  const all = Math.abs(time_s);
  const minutes = Math.floor(all / 60);
  const seconds = Math.floor((all - minutes * 60) * 100) / 100;
  const hours = Math.floor(minutes / 60);
  const rest = hours > 0 ? `${hours}:${String(minutes % 60).padStart(2, "0")}` : String(minutes);
  return `${sign}${rest}:${seconds.toFixed(2).padStart(5, "0")}`;
}

/** A number with as many digits as matter; a dash for none. */
export function short(value: number | null): string {
  // What is no number has no form in JSON.
  if (value === null || !Number.isFinite(value)) return "–";
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(1) : value.toFixed(2);
}

/** `head_distance_m` as `head distance (m)`. */
export function words(name: string): string {
  const units: [string, string][] = [
    ["_m_s", "m/s"], ["_uu_s", "uu/s"], ["_per_minute", "per minute"], ["_percent", "%"], ["_s", "s"], ["_m", "m"],
    ["_uu", "uu"], ["_rad", "rad"], ["_frames", "frames"],
  ];
  const unit = units.find(([suffix]) => name.endsWith(suffix));
  const stem = unit ? name.slice(0, -unit[0].length) : name;
  return stem.replaceAll("_", " ").replaceAll("-", " ") + (unit ? ` (${unit[1]})` : "");
}

/** Saves something under a name. */
export function save(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
