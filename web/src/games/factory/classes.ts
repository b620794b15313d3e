// What the classes of a factory's things are: how large, what they belong to, how people call them.

import { wordColour } from "../../colours";
import { CATEGORIES, SHAPES } from "../../facts/satisfactory";
import { type ShapeRow, fits, shapeOf as find } from "../../facts/shape";

export type BoxShape = Pick<ShapeRow, "size_m" | "centre_m">;

/** The box of a class of a kind. */
export function shapeOf(className: string, kind: string): BoxShape { return find(SHAPES, kind, className); }

/** What people would group a class with. */
export function categoryOf(className: string, kind: string): string {
  if (kind !== "building") return kind;
  return CATEGORIES.find(([pattern]) => fits(pattern, className))?.[1] ?? "other";
}

/** Floors and walls are the ground for everything else: grey. */
const GREY = new Set(["foundations", "walls", "ramps", "roofs", "pillars", "beams", "walkways", "stairs", "fences"]);

export function colourOf(category: string): string { return GREY.has(category) ? "#596270" : wordColour(category); }

/** `Build_ConstructorMk1_C` as `ConstructorMk1`. */
export function readable(className: string): string {
  return className.replace(/^(Build|BP|Char)_/, "").replace(/_C$/, "").replaceAll("_", " ");
}
