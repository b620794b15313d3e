// What the page asks of whatever reads the recordings: a server today; a worker in the page can stand behind it as well.

import type { ColumnIndex, Pack, Place, Texts } from "./pack";

export interface PlayerSummary {
  name: string;
  team?: number;
  details: Record<string, string>;
}
export interface Summary {
  version: string;
  date?: string;
  map?: string;
  duration_s?: number;
  frames?: number;
  players: PlayerSummary[];
  score?: string;
  details: Record<string, string>;
}
export interface Row {
  id: number;
  file: string;
  bytes?: number;
  format?: string;
  game?: string;
  summary?: Summary;
  error?: string;
}
export interface Rows {
  total: number;
  read: number;
  rows: Row[];
}

export type StatValue = number | string | (number | null)[] | null;
export type StatGroup = Record<string, StatValue>;
export interface StatSubject {
  name: string;
  team?: number;
  [group: string]: StatGroup | string | number | undefined;
}
export interface Stats {
  recording: Record<string, StatGroup>;
  teams?: StatSubject[];
  players: StatSubject[];
}

export interface GameEvent {
  time_s: number;
  frame: number;
  kind: string;
  who: number | null;
  whom: number | null;
  position: [number, number, number] | null;
  details: Record<string, string>;
}
export interface Finding {
  severity: string;
  code: string;
  message: string;
  path?: string;
}
export interface EntitiesIndex {
  count: number;
  names: Texts;
  kinds: string[];
  kind: Place;
  parent: Place;
  intervals: Place;
  presence_s: Place;
}
export interface OutlineIndex {
  format: string;
  game: string;
  revision: string;
  summary: Summary;
  stats: Stats | null;
  findings: Finding[];
  start_s: number;
  end_s: number;
  entities: EntitiesIndex;
  statics: { kind: string; entities: Place; columns: ColumnIndex[] }[];
  events: GameEvent[];
}
export interface PieceIndex {
  from_s: number;
  to_s: number;
  tracks: {
    entity: number;
    linear: boolean;
    rest_s: [number, number] | null;
    times_s: Place;
    columns: ColumnIndex[];
  }[];
}
export interface OverviewIndex {
  times_s: Place;
  columns: (ColumnIndex & { entity: number })[];
}

export interface LinesIndex {
  lines: { kind: string; points: Place }[];
}
/** What has been explored: `side` times `side` bytes, 255 where all is seen. */
export interface FogIndex {
  side: number;
  seen: Place;
}
/** Something that gives a resource. */
export interface WorldNode {
  kind: string;
  resource: string | null;
  purity: "impure" | "normal" | "pure" | null;
  is_taken: boolean;
  position: [number, number, number];
}
/** A name, how much of it, and its unit: empty for pieces. */
export type Amount = [name: string, amount: number, unit: string];
/** A machine by its name in its level. Rates are what it makes and uses a minute while it works. */
export interface Machine {
  name: string;
  recipe: string | null;
  activity: string;
  clock: number;
  productivity: number | null;
  made: Amount[] | null;
  used: Amount[] | null;
  takes_mw: number | null;
  generates_mw: number | null;
}
/** What one thing holds. */
export interface Stored {
  owner: string;
  place: string;
  items: Amount[];
}
/** The world of a save beyond what stands in it. `ground` has points of the land, three numbers each. */
export interface WorldIndex {
  nodes: WorldNode[];
  ground: Place;
}
/** What machines do, and what is stored where. */
export interface Holdings {
  machines: Machine[];
  stored: Stored[];
}
/** Frames that were computed more than once: when, how often, and where each character was the first time. */
export interface RollbacksIndex {
  times_s: Place;
  copies: Place;
  characters: Place[];
}
export interface Details {
  class: string;
  rows: [string, string][];
}

/** Where recordings come from. Everything the page shows goes through it; an error's message is for a person. */
export interface Source {
  /** Rows of the list from one on, in the order in which headers were read. */
  rows(from: number): Promise<Rows>;
  /** Changes when the file does. */
  revision(id: number): Promise<string>;
  outline(id: number): Promise<Pack<OutlineIndex>>;
  overview(id: number): Promise<Pack<OverviewIndex>>;
  piece(id: number, from_s: number, to_s: number): Promise<Pack<PieceIndex>>;
  /** Every value at a time, as JSON. */
  moment(id: number, time_s: number): Promise<Blob>;
  fog(id: number): Promise<Pack<FogIndex>>;
  world(id: number): Promise<Pack<WorldIndex>>;
  holdings(id: number): Promise<Holdings>;
  rollbacks(id: number): Promise<Pack<RollbacksIndex>>;
  lines(id: number): Promise<Pack<LinesIndex>>;
  details(id: number, name: string): Promise<Details | null>;
  /** The animation as glTF, of the whole or of a part. */
  glb(id: number, part?: { from_s: number; to_s: number }): Promise<Blob>;
}
