// What the server is asked for. Nothing else is ever asked of anybody.

import { type ColumnIndex, Pack, type Place, type Texts } from "./pack";

export interface PlayerSummary { name: string; team?: number; details: Record<string, string> }
export interface Summary {
  version: string; date?: string; map?: string; duration_s?: number; frames?: number;
  players: PlayerSummary[]; score?: string; details: Record<string, string>;
}
export interface Row {
  id: number; file: string; bytes?: number; format?: string; game?: string; summary?: Summary; error?: string;
}
export interface Rows { total: number; read: number; rows: Row[] }

export type StatValue = number | string | (number | null)[] | null;
export type StatGroup = Record<string, StatValue>;
export interface StatSubject { name: string; team?: number; [group: string]: StatGroup | string | number | undefined }
export interface Stats { recording: Record<string, StatGroup>; teams?: StatSubject[]; players: StatSubject[] }

export interface GameEvent {
  time_s: number; frame: number; kind: string; who: number | null; whom: number | null;
  position: [number, number, number] | null; details: Record<string, string>;
}
export interface Finding { severity: string; code: string; message: string; path?: string }
export interface EntitiesIndex { count: number; names: Texts; kinds: string[]; kind: Place; parent: Place; intervals: Place; presence_s: Place }
export interface OutlineIndex {
  format: string; game: string; revision: string; summary: Summary; stats: Stats | null; findings: Finding[];
  start_s: number; end_s: number;
  entities: EntitiesIndex;
  statics: { kind: string; entities: Place; columns: ColumnIndex[] }[];
  events: GameEvent[];
}
export interface PieceIndex {
  from_s: number; to_s: number;
  tracks: { entity: number; linear: boolean; rest_s: [number, number] | null; times_s: Place; columns: ColumnIndex[] }[];
}
export interface OverviewIndex { times_s: Place; columns: (ColumnIndex & { entity: number })[] }

async function ask(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(await response.text());
  return response;
}

async function pack<Index>(path: string): Promise<Pack<Index>> {
  return new Pack<Index>(await (await ask(path)).arrayBuffer());
}

export interface LinesIndex { lines: { kind: string; points: Place }[] }
/** What has been explored: `side` times `side` bytes, 255 where all is seen. */
export interface FogIndex { side: number; seen: Place }
/** Frames that were computed more than once: when, how often, and where each character was the first time. */
export interface RollbacksIndex { times_s: Place; copies: Place; characters: Place[] }
export interface Details { class: string; rows: [string, string][] }

export const api = {
  rows: async (from: number) => (await (await ask(`/api/recordings?from=${from}`)).json()) as Rows,
  revision: async (id: number) => (await (await ask(`/api/recordings/${id}/revision`)).json()) as string,
  outline: (id: number) => pack<OutlineIndex>(`/api/recordings/${id}/outline`),
  overview: (id: number) => pack<OverviewIndex>(`/api/recordings/${id}/overview`),
  piece: (id: number, from_s: number, to_s: number) =>
    pack<PieceIndex>(`/api/recordings/${id}/piece?from_s=${from_s}&to_s=${to_s}`),
  moment: async (id: number, time_s: number) => (await ask(`/api/recordings/${id}/moment?time_s=${time_s}`)).blob(),
  fog: (id: number) => pack<FogIndex>(`/api/recordings/${id}/fog`),
  rollbacks: (id: number) => pack<RollbacksIndex>(`/api/recordings/${id}/rollbacks`),
  lines: (id: number) => pack<LinesIndex>(`/api/recordings/${id}/lines`),
  details: async (id: number, name: string) =>
    (await (await ask(`/api/recordings/${id}/details?name=${encodeURIComponent(name)}`)).json()) as Details | null,
  glb: async (id: number) => (await ask(`/api/recordings/${id}/glb`)).blob(),
};
