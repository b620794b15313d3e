// Signs on buttons, drawn: no font has to have them.

const NS = "http://www.w3.org/2000/svg";

/** Paths in a square of 24. */
const PATHS = {
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  nextFrame: "M5 4h3v16H5zM10 4v16l10-8z",
  previousFrame: "M16 4h3v16h-3zM14 4v16L4 12z",
  nextEvent: "M4 4v16l8-8zM12 4v16l7-8zM19 4h2v16h-2z",
  previousEvent: "M20 4v16l-8-8zM12 4v16l-7-8zM3 4h2v16H3z",
  loop: "M12 5V1l6 5-6 5V7a5 5 0 1 0 5 5h2a7 7 0 1 1-7-7z",
  home: "M12 3l10 9h-3v9h-5v-6h-4v6H5v-9H2z",
  list: "M3 5h18v3H3zM3 10.5h18v3H3zM3 16h18v3H3z",
  theme: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2.4a7.6 7.6 0 0 1 0 15.2z",
  help: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1.2 15.2h2.4v2.4h-2.4zM8 9.5a4 4 0 1 1 6.2 3.3c-.8.6-1 .9-1 2.2h-2.4c0-2.2.5-3 1.9-4a1.6 1.6 0 1 0-2.3-1.5z",
  stock: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z",
};

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGSVGElement {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.dataset["icon"] = name;
  const path = document.createElementNS(NS, "path");
  path.setAttribute("d", PATHS[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/** Puts a sign into an element, unless it is there already. */
export function setIcon(host: HTMLElement, name: Icon): void {
  if ((host.firstElementChild as SVGElement | null)?.dataset["icon"] !== name) host.replaceChildren(icon(name));
}
