// A recording in the page: what there is, whole; what moves, in pieces around the playhead.

import { Entities, type Entity } from "./entities";
import { type Pack, type Values, values } from "./pack";
import { after, type ColumnData, sample } from "./sample";
import type { GameEvent, OutlineIndex, PieceIndex, Row, Source } from "./source";

export type { Entity } from "./entities";

/** How long a piece is, in seconds. */
export const PIECE_S = 20;
/** More pieces than this are let go, the farthest from the playhead first. */
const MOST_PIECES = 90;

export interface Group {
  kind: string;
  entities: Uint32Array;
  columns: Map<string, Values>;
}

interface Piece {
  columns: Map<number, Map<string, ColumnData>>;
  times_s?: Float64Array;
}

/** One column of one entity, sampled fast: the piece it looked into last is at hand. */
export class Column {
  private piece = -1;
  private generation = -1;
  private data: ColumnData | undefined;
  private readonly scratch: number[] = [0, 0, 0, 0];

  constructor(
    private readonly recording: Recording,
    readonly entity: number,
    readonly name: string,
  ) {}

  /** The values at a time; `undefined` where the entity is absent, or nothing is known (yet). */
  at(time_s: number): number[] | undefined {
    if (!this.recording.isPresent(this.entity, time_s)) return undefined;
    const data = this.find(time_s);
    return data && sample(data, time_s, this.scratch) ? this.scratch : undefined;
  }

  number(time_s: number): number | undefined {
    return this.at(time_s)?.[0];
  }

  text(time_s: number): string | undefined {
    const index = this.at(time_s)?.[0];
    return index === undefined ? undefined : this.data?.names[index];
  }

  private find(time_s: number): ColumnData | undefined {
    const number = this.recording.pieceAt(time_s);
    if (number !== this.piece || this.generation !== this.recording.generation) {
      this.generation = this.recording.generation;
      this.data =
        this.recording.staticColumn(this.entity, this.name) ??
        this.recording.pieceColumn(number, this.entity, this.name);
      this.piece = number;
    }
    return this.data;
  }
}

export class Recording {
  outline: OutlineIndex;
  entities: Entities;
  readonly statics: Group[];
  events: GameEvent[];
  /** Called when a piece has come. */
  onPiece: () => void = () => {};
  private readonly pieces = new Map<number, Piece>();
  private readonly asked = new Set<number>();
  /** A piece that has grown since it came; it is shown until the new one is there. */
  private stale = -1;
  /** Counts the pieces that came, so that columns look again. */
  generation = 0;
  /** By entity: one more than the number of its group among those that never change (0: none), and its row there. */
  private readonly staticGroup: Uint16Array;
  private readonly staticRow: Uint32Array;

  constructor(
    readonly source: Source,
    readonly row: Row,
    pack: Pack<OutlineIndex>,
  ) {
    const outline = pack.index;
    this.outline = outline;
    this.events = outline.events;
    this.entities = new Entities(pack);
    this.staticGroup = new Uint16Array(this.entities.count);
    this.staticRow = new Uint32Array(this.entities.count);
    this.statics = outline.statics.map(({ kind, entities, columns }, index) => {
      const group = {
        kind,
        entities: pack.u32(entities),
        columns: new Map(columns.map((column) => [column.name, values(pack, column)])),
      };
      for (let row = 0; row < group.entities.length; row++) {
        const entity = group.entities[row] as number;
        this.staticGroup[entity] = index + 1;
        this.staticRow[entity] = row;
      }
      return group;
    });
  }

  /**
   * Takes a later state of the same file; false when there is something new in it, and the scene must be made anew.
   * The last piece was not whole: it is asked for again.
   */
  grow(pack: Pack<OutlineIndex>): boolean {
    const later = new Entities(pack);
    // What stood still and moves now is in none of the pieces that are here.
    const stillOf = ({ statics }: OutlineIndex) => statics.reduce((sum, { entities }) => sum + entities[1], 0);
    if (!later.isSameAs(this.entities) || stillOf(pack.index) !== stillOf(this.outline)) return false;
    const last = this.pieceAt(this.end_s);
    this.entities = later;
    this.outline = pack.index;
    this.events = pack.index.events;
    this.stale = last;
    return true;
  }

  get id(): number {
    return this.row.id;
  }
  get start_s(): number {
    return this.outline.start_s;
  }
  get end_s(): number {
    return this.outline.end_s;
  }
  get isMoment(): boolean {
    return this.end_s <= this.start_s;
  }

  entity(id: number | null): Entity | undefined {
    return this.entities.get(id);
  }
  ofKind(...kinds: string[]): Entity[] {
    return this.entities.ofKind(...kinds);
  }
  childrenOf(id: number): Entity[] {
    return this.entities.childrenOf(id);
  }
  column(entity: number, name: string): Column {
    return new Column(this, entity, name);
  }

  isPresent(id: number, time_s: number): boolean {
    return this.entities.isPresent(id, time_s);
  }

  /** Where an entity that never changes has its values. */
  staticPlace(entity: number): { group: Group; row: number } | undefined {
    const group = this.statics[(this.staticGroup[entity] ?? 0) - 1];
    return group && { group, row: this.staticRow[entity] as number };
  }

  staticColumn(entity: number, name: string): ColumnData | undefined {
    const place = this.staticPlace(entity);
    if (!place) return undefined;
    const own = place.group.columns.get(name);
    if (!own) return undefined;
    const numbers = own.numbers.subarray(place.row * own.width, (place.row + 1) * own.width);
    return { ...own, numbers, times_s: new Float64Array([-Infinity]), linear: false, rest_s: null };
  }

  pieceAt(time_s: number): number {
    return Math.max(0, Math.floor((time_s - this.start_s) / PIECE_S));
  }
  get pieceCount(): number {
    return this.pieceAt(this.end_s) + 1;
  }
  get loaded(): number {
    return this.pieces.size;
  }
  isLoaded(time_s: number): boolean {
    return this.isMoment || this.pieces.has(this.pieceAt(time_s));
  }
  pieceColumn(number: number, entity: number, name: string): ColumnData | undefined {
    return this.pieces.get(number)?.columns.get(entity)?.get(name);
  }

  /** Asks for the piece at a time first, then for those after and before it, one at a time. */
  async want(time_s: number): Promise<void> {
    if (this.isMoment || this.asked.size > 0) return;
    const here = this.pieceAt(time_s);
    const order = [...Array(this.pieceCount).keys()].sort((a, b) => distance(a, here) - distance(b, here));
    const next = order.slice(0, MOST_PIECES).find((number) => !this.pieces.has(number) || number === this.stale);
    if (next === undefined) return;
    this.asked.add(next);
    if (next === this.stale) this.stale = -1;
    try {
      const from_s = this.start_s + next * PIECE_S;
      this.pieces.set(next, read(await this.source.piece(this.id, from_s, from_s + PIECE_S)));
      this.generation++;
      for (const number of order.slice(MOST_PIECES)) this.pieces.delete(number);
    } finally {
      this.asked.delete(next);
    }
    this.onPiece();
  }

  /** The next or previous moment at which anything was recorded. */
  neighbour(time_s: number, step: 1 | -1): number {
    const piece = this.pieces.get(this.pieceAt(time_s));
    if (!piece) return time_s;
    piece.times_s ??= union(piece);
    const times_s = piece.times_s;
    const next = after(times_s, time_s + 1e-9);
    if (step > 0) return times_s[next] ?? Math.min(this.end_s, time_s + 1 / 30);
    let before = next - 1;
    while (before >= 0 && (times_s[before] as number) >= time_s - 1e-9) before--;
    return times_s[before] ?? Math.max(this.start_s, time_s - 1 / 30);
  }
}

function distance(piece: number, here: number): number {
  // What comes is wanted sooner than what was.
  return piece >= here ? piece - here : (here - piece) * 1.5;
}

function read(pack: Pack<PieceIndex>): Piece {
  const columns = new Map<number, Map<string, ColumnData>>();
  for (const track of pack.index.tracks) {
    const times_s = pack.f64(track.times_s);
    const own = columns.get(track.entity) ?? new Map<string, ColumnData>();
    columns.set(track.entity, own);
    for (const column of track.columns) {
      if (!own.has(column.name))
        own.set(column.name, { ...values(pack, column), times_s, linear: track.linear, rest_s: track.rest_s });
    }
  }
  return { columns };
}

function union(piece: Piece): Float64Array {
  const all = new Set<number>();
  for (const columns of piece.columns.values())
    for (const { times_s } of columns.values()) for (const time_s of times_s) all.add(time_s);
  return Float64Array.from(all).sort();
}
