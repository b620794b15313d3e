// Who and what there is, as columns: a save has tens of thousands of entities, and an object for each would be most of
// the page's memory. Objects are made for those that somebody asks for.

import type { Pack } from "./pack";
import type { EntitiesIndex } from "./source";

export interface Entity {
  id: number;
  name: string;
  kind: string;
  parent: number;
}

const NOBODY = 0xffffffff;

export class Entities {
  readonly count: number;
  private readonly kinds: string[];
  private readonly kindOf: Uint32Array;
  private readonly parentOf: Uint32Array;
  private readonly nameEnds: Uint32Array;
  private readonly nameBytes: Uint8Array;
  private readonly presence_s: Float64Array;
  /** Where an entity's times of presence begin; one more than there are entities. */
  private readonly presenceAt: Uint32Array;
  private readonly decoder = new TextDecoder();

  constructor(pack: Pack<{ entities: EntitiesIndex }>) {
    const { count, names, kinds, kind, parent, intervals, presence_s } = pack.index.entities;
    this.count = count;
    this.kinds = kinds;
    this.kindOf = pack.u32(kind);
    this.parentOf = pack.u32(parent);
    this.nameEnds = pack.u32(names.ends);
    this.nameBytes = pack.u8(names.bytes);
    this.presence_s = pack.f64(presence_s);
    this.presenceAt = new Uint32Array(count + 1);
    let at = 0;
    const own = pack.u32(intervals);
    for (let id = 0; id < count; id++) this.presenceAt[id + 1] = at += (own[id] as number) * 2;
  }

  name(id: number): string {
    const start = id === 0 ? 0 : (this.nameEnds[id - 1] as number);
    return this.decoder.decode(this.nameBytes.subarray(start, this.nameEnds[id]));
  }

  kind(id: number): string {
    return this.kinds[this.kindOf[id] ?? NOBODY] ?? "";
  }

  parent(id: number): number {
    const parent = this.parentOf[id] ?? NOBODY;
    return parent === NOBODY ? -1 : parent;
  }

  get(id: number | null): Entity | undefined {
    if (id === null || id < 0 || id >= this.count) return undefined;
    return { id, name: this.name(id), kind: this.kind(id), parent: this.parent(id) };
  }

  ofKind(...kinds: string[]): Entity[] {
    const wanted = new Set(kinds.map((kind) => this.kinds.indexOf(kind)));
    return this.where((id) => wanted.has(this.kindOf[id] as number));
  }

  childrenOf(parent: number): Entity[] {
    return this.where((id) => this.parentOf[id] === parent);
  }

  private where(isWanted: (id: number) => boolean): Entity[] {
    const found: Entity[] = [];
    for (let id = 0; id < this.count; id++) if (isWanted(id)) found.push(this.get(id) as Entity);
    return found;
  }

  isPresent(id: number, time_s: number): boolean {
    const end = this.presenceAt[id + 1] ?? 0;
    for (let at = this.presenceAt[id] ?? 0; at < end; at += 2) {
      if ((this.presence_s[at] as number) <= time_s && time_s < (this.presence_s[at + 1] as number)) return true;
    }
    return false;
  }

  /** True when the same entities are there under the same names. */
  isSameAs(other: Entities): boolean {
    const isEqual = (a: ArrayLike<number>, b: ArrayLike<number>) =>
      a.length === b.length && Array.prototype.every.call(a, (value, index) => value === b[index]);
    return isEqual(this.nameEnds, other.nameEnds) && isEqual(this.nameBytes, other.nameBytes);
  }
}
