// Packs of columns: a JSON index, then little-endian typed arrays (crates/postgame-view/src/pack.rs).

/** Offset in bytes from the start of the arrays, and number of values. */
export type Place = [number, number];
/** Texts: where each ends, and all their bytes. */
export interface Texts {
  ends: Place;
  bytes: Place;
}

export class Pack<Index> {
  readonly index: Index;
  private readonly start: number;

  constructor(private readonly buffer: ArrayBuffer) {
    const view = new DataView(buffer);
    if (buffer.byteLength < 8 || view.getUint32(0) !== 0x50475631) throw new Error("the server sent something else");
    const length = view.getUint32(4, true);
    this.index = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length))) as Index;
    this.start = Math.ceil((8 + length) / 8) * 8;
  }

  f64([offset, count]: Place): Float64Array {
    return new Float64Array(this.buffer, this.start + offset, count);
  }
  f32([offset, count]: Place): Float32Array {
    return new Float32Array(this.buffer, this.start + offset, count);
  }
  u32([offset, count]: Place): Uint32Array {
    return new Uint32Array(this.buffer, this.start + offset, count);
  }
  u8([offset, count]: Place): Uint8Array {
    return new Uint8Array(this.buffer, this.start + offset, count);
  }
}

/** A column as the index tells of it. */
export interface ColumnIndex {
  name: string;
  kind: "position" | "rotation" | "scalar" | "flag" | "name";
  at: Place;
  names?: string[];
  /** What people call each of the names. */
  labels?: string[];
}

/** Values of one column, `width` numbers each. */
export interface Values {
  kind: ColumnIndex["kind"];
  width: number;
  numbers: Float32Array | Uint32Array | Uint8Array;
  names: string[];
  labels: string[];
}

/** The values of a column, in place. */
export function values(pack: Pack<unknown>, column: ColumnIndex): Values {
  const { kind, at, names = [], labels = [] } = column;
  const width = kind === "position" ? 3 : kind === "rotation" ? 4 : 1;
  const numbers = kind === "name" ? pack.u32(at) : kind === "flag" ? pack.u8(at) : pack.f32(at);
  return { kind, width, numbers, names, labels };
}
