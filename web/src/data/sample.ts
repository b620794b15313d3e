// Sampling a column at a time, just as the library does (crates/postgame/src/timeline/track.rs).

import type { Values } from "./pack";

export interface ColumnData extends Values {
  times_s: Float64Array;
  linear: boolean;
  /** Before a sample that is farther away than the first, it rests, and moves in the last of the second only. */
  rest_s: [number, number] | null;
}

/** The index of the first time after `time_s`. */
export function after(times_s: Float64Array, time_s: number): number {
  let low = 0;
  let high = times_s.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times_s[middle] as number) <= time_s) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Writes the value at a time into `out`; false where there is none yet. */
export function sample(column: ColumnData, time_s: number, out: number[]): boolean {
  const { times_s, numbers, width, kind } = column;
  const next = after(times_s, time_s);
  if (next === 0) return false;
  const a = (next - 1) * width;
  const moves =
    column.linear && next < times_s.length && (kind === "position" || kind === "rotation" || kind === "scalar");
  if (!moves) {
    for (let part = 0; part < width; part++) out[part] = numbers[a + part] as number;
    return true;
  }
  const next_s = times_s[next] as number;
  let start_s = times_s[next - 1] as number;
  if (column.rest_s && next_s - start_s > column.rest_s[0]) start_s = next_s - column.rest_s[1];
  const part = Math.max(0, (time_s - start_s) / (next_s - start_s));
  const b = a + width;
  if (kind === "rotation") turn(numbers, a, b, part, out);
  else
    for (let axis = 0; axis < width; axis++) {
      const from = numbers[a + axis] as number;
      out[axis] = from + ((numbers[b + axis] as number) - from) * part;
    }
  return true;
}

/** Along the shorter arc, at constant angular speed. */
function turn(numbers: Values["numbers"], a: number, b: number, part: number, out: number[]): void {
  let dot = 0;
  for (let axis = 0; axis < 4; axis++) dot += (numbers[a + axis] as number) * (numbers[b + axis] as number);
  const sign = dot < 0 ? -1 : 1;
  dot *= sign;
  let from = 1 - part;
  let to = part;
  if (dot <= 0.9995) {
    const angle = Math.acos(dot);
    from = Math.sin((1 - part) * angle) / Math.sin(angle);
    to = Math.sin(part * angle) / Math.sin(angle);
  }
  let norm = 0;
  for (let axis = 0; axis < 4; axis++) {
    const value = (numbers[a + axis] as number) * from + sign * (numbers[b + axis] as number) * to;
    out[axis] = value;
    norm += value * value;
  }
  norm = Math.sqrt(norm) || 1;
  for (let axis = 0; axis < 4; axis++) out[axis] = (out[axis] as number) / norm;
}
