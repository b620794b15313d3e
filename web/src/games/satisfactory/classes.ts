// What the classes of a factory's things are: how large, what they belong to, how people call them, their colour.

import { NEUTRAL } from "../../colours";
import { CATEGORIES, SHAPES } from "../../facts/satisfactory";
import { shapeOf as find, fits, type ShapeRow } from "../../facts/shape";
import { capital } from "../../format";

export type BoxShape = Pick<ShapeRow, "size_m" | "centre_m">;

/** The box of a class of a kind. */
export function shapeOf(className: string, kind: string): BoxShape {
  return find(SHAPES, kind, className);
}

/** What people would group a class with. */
export function categoryOf(className: string, kind: string): string {
  if (kind !== "building") return kind;
  return CATEGORIES.find(([pattern]) => fits(pattern, className))?.[1] ?? "other";
}

/** Layers, in the order in which they are listed, and what belongs to each. Colours after Okabe and Ito: no two alike. */
const LAYERS: [name: string, colour: string, categories: string[]][] = [
  ["Production", "#f08a24", ["production"]],
  ["Extraction", "#c4502a", ["extraction"]],
  ["Generators", "#ffe14d", ["generators"]],
  ["Power grid", "#d4b72c", ["power grid"]],
  ["Conveyors", "#4fb3f0", ["conveyors"]],
  ["Pipes", "#3f73e0", ["pipes"]],
  ["Hypertubes", "#36d1c4", ["hypertubes"]],
  ["Storage", "#2fb98a", ["storage"]],
  ["Railway", "#d274b4", ["railway"]],
  ["Vehicles and transport", "#a76de0", ["transport", "vehicle", "train", "drone"]],
  ["Special", "#ff6fa0", ["special", "player"]],
  ["Foundations", "#5b6675", ["foundations", "ramps", "stairs", "walkways"]],
  ["Walls and roofs", "#7d8899", ["walls", "roofs", "pillars", "beams", "fences", "doors", "windows", "architecture"]],
  ["Signs and lights", "#b8c4d6", ["signs", "lights", "decoration"]],
];
const MARKED: [name: string, colour: string, categories: string[]][] = [
  ["Collectables", "#8fe36b", ["collectable"]],
  ["Rocks and wells", "#c9d2de", ["resource"]],
  ["Creatures", "#e86a5a", ["creature"]],
  ["Plants", "#7fae6a", ["plant"]],
  ["Lying about", "#d9c27a", ["pickup", "crate"]],
  ["Other", NEUTRAL, ["other"]],
];

/** The layer that a category belongs to. */
export function layerOf(category: string): { name: string; colour: string; rank: number } {
  const all = [...LAYERS, ...MARKED];
  const rank = all.findIndex(([, , categories]) => categories.includes(category));
  const found = all[rank];
  return found
    ? { name: found[0], colour: found[1], rank }
    : { name: capital(category), colour: NEUTRAL, rank: all.length };
}

/** What is everywhere and was not built is shown on wish; nodes have marks of their own. */
const QUIET = new Set(["resource", "creature", "plant", "pickup", "other"]);

export function isQuiet(kind: string): boolean {
  return QUIET.has(kind);
}

export function colourOf(category: string): string {
  return layerOf(category).colour;
}

/** `Build_ConstructorMk1_C` as `Constructor Mk.1`. */
export function readable(className: string): string {
  return className
    .replace(/^(Build|BP|Char|Desc|Recipe)_/, "")
    .replace(/_C$/, "")
    .replaceAll("_", " ")
    .replace(/([a-z0-9])(?=[A-Z])/g, "$1 ")
    .replace(/([A-Z])(?=[A-Z][a-z])/g, "$1 ")
    .replace(/\bMk ?(\d)/g, "Mk.$1")
    .replace(/\s+/g, " ")
    .trim();
}
