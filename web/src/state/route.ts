// The address: which recording, when, from where. A link restores all of it.
//
// A recording goes by its file's name and size, so that a link holds when the server is started with other files beside
// it. A number, which is its place in the list, is understood as well.

import type { Row, Source } from "../data/source";

export interface Place {
  key: string;
  time_s?: number;
  camera?: string;
  position?: number[];
  target?: number[];
  /** Not in the address: goes on playing after the scene was made anew. */
  isPlaying?: boolean;
  isLive?: boolean;
}

/** What a recording goes by in an address. */
export function keyOf({ id, file, bytes }: Pick<Row, "id" | "file" | "bytes">): string {
  return file ? `${encodeURIComponent(file)}~${bytes ?? 0}` : String(id);
}

export function parse(hash: string): Place | undefined {
  const match = /^#\/r\/([^?]+)(?:\?(.*))?$/.exec(hash);
  if (!match) return undefined;
  const query = new URLSearchParams(match[2] ?? "");
  const place: Place = { key: match[1] as string };
  const time_s = Number(query.get("t") ?? Number.NaN);
  if (Number.isFinite(time_s)) place.time_s = time_s;
  const camera = query.get("cam");
  if (camera) place.camera = camera;
  const [position, target] = ["from", "to"].map((key) => query.get(key)?.split(",").map(Number));
  if (isPoint(position) && isPoint(target)) [place.position, place.target] = [position, target];
  return place;
}

export function write({ key, time_s, camera, position, target }: Place): string {
  const query = new URLSearchParams({ t: (time_s ?? 0).toFixed(3), cam: camera ?? "" });
  if (position && target) {
    query.set("from", position.join(","));
    query.set("to", target.join(","));
  }
  return `#/r/${key}?${query.toString().replaceAll("%2C", ",")}`;
}

function isPoint(point: number[] | undefined): point is number[] {
  return point?.length === 3 && point.every(Number.isFinite);
}

/** How often the list is asked while it fills. */
const POLL_MS = 150;

/** The row of the recording that an address names; waits while headers are still being read. */
export async function find(source: Source, key: string): Promise<Row> {
  const number = /^\d+$/.test(key) ? Number(key) : undefined;
  const known: Row[] = [];
  for (;;) {
    const { total, read, rows } = await source.rows(known.length);
    known.push(...rows);
    const found = known.find((row) => (number === undefined ? keyOf(row) === key : row.id === number));
    if (found) return found;
    if (read >= total) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  // The file may have grown since: its name alone counts then.
  const name = key.replace(/~\d+$/, "");
  const same = known.find(({ file }) => encodeURIComponent(file) === name);
  if (same) return same;
  throw new Error("This recording is not among those that are being shown.");
}
