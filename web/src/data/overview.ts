// The whole recording at equal steps: for charts and the heat map.

import type { Recording } from "./recording";

export interface Series {
  entity: number;
  name: string;
  values: Float32Array;
}

export class Overview {
  constructor(
    readonly times_s: Float64Array,
    readonly scalars: Series[],
    readonly positions: Series[],
  ) {}

  static async of(recording: Recording, topSpeed_m_s: (kind: string) => number): Promise<Overview> {
    const pack = await recording.source.overview(recording.id);
    const times_s = pack.f64(pack.index.times_s);
    const of = (kind: string) =>
      pack.index.columns
        .filter((column) => column.kind === kind)
        .map(({ entity, name, at }) => ({ entity, name, values: pack.f32(at) }));
    const positions = of("position").filter(({ name }) => name === "position");
    const speeds = positions.map(({ entity, values }) => ({
      entity,
      name: "speed_m_s",
      values: speed(times_s, values, topSpeed_m_s(recording.entity(entity)?.kind ?? "")),
    }));
    return new Overview(times_s, [...of("scalar"), ...speeds], positions);
  }

  /** The names of all numbers, those of most entities first. */
  names(): string[] {
    const counts = new Map<string, number>();
    for (const { name } of this.scalars) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts.keys()];
  }
}

/**
 * Metres a second over a quarter of a second: what is recorded now and then jumps from sample to sample.
 *
 * What is put somewhere else (a respawn, a kick-off) does not move there: faster than anything of its kind can be, there
 * is no value, and the line is broken.
 */
function speed(times_s: Float64Array, positions: Float32Array, top_m_s: number): Float32Array {
  const speeds = new Float32Array(times_s.length).fill(NaN);
  const step_s = ((times_s.at(-1) as number) - (times_s[0] as number)) / (times_s.length - 1);
  const window = Math.max(1, Math.round(0.25 / step_s));
  for (let index = window; index < times_s.length; index++) {
    const passed_s = (times_s[index] as number) - (times_s[index - window] as number);
    let square = 0;
    for (let axis = 0; axis < 3; axis++)
      square += ((positions[index * 3 + axis] as number) - (positions[(index - window) * 3 + axis] as number)) ** 2;
    const own = Math.sqrt(square) / passed_s;
    speeds[index] = own <= top_m_s ? own : NaN;
  }
  return speeds;
}
