// Looking a shape up in a game's table: the same rule as the library's (crates/postgame/src/gltf/shapes.rs).

export interface ShapeRow {
  kind: string;
  /** A star stands for any letters. */
  class: string;
  form: "Box" | "Ball" | "Disc";
  size_m: [number, number, number];
  /** Where its middle is, seen from the entity's position. */
  centre_m: [number, number, number];
}

/** True when a name is what a pattern says. */
export function fits(pattern: string, name: string): boolean {
  const parts = pattern.split("*");
  const last = parts.length - 1;
  if (last === 0) return pattern === name;
  const [start, end] = [parts[0] as string, parts[last] as string];
  if (!name.startsWith(start)) return false;
  let at = start.length;
  for (const part of parts.slice(1, last)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - end.length >= at && name.endsWith(end);
}

const PLAIN: ShapeRow = { kind: "", class: "*", form: "Box", size_m: [1, 1, 1], centre_m: [0, 0, 0] };

/** The shape of a class of a kind; the first row that fits counts. */
export function shapeOf(rows: ShapeRow[], kind: string, className: string): ShapeRow {
  return rows.find((row) => row.kind === kind && fits(row.class, className)) ?? PLAIN;
}
