// The address: which recording, when, from where. A link restores all of it.

export interface Place {
  id: number; time_s?: number; camera?: string; position?: number[]; target?: number[];
  /** Not in the address: goes on playing after the scene was made anew. */
  isPlaying?: boolean; isLive?: boolean;
}

export function parse(hash: string): Place | undefined {
  const match = /^#\/r\/(\d+)(?:\?(.*))?$/.exec(hash);
  if (!match) return undefined;
  const query = new URLSearchParams(match[2] ?? "");
  const place: Place = { id: Number(match[1]) };
  const time_s = Number(query.get("t") ?? NaN);
  if (Number.isFinite(time_s)) place.time_s = time_s;
  const camera = query.get("cam");
  if (camera) place.camera = camera;
  const [position, target] = ["from", "to"].map((key) => query.get(key)?.split(",").map(Number));
  if (isPoint(position) && isPoint(target)) [place.position, place.target] = [position, target];
  return place;
}

export function write({ id, time_s, camera, position, target }: Required<Omit<Place, "isPlaying" | "isLive">>): string {
  const query = new URLSearchParams({ t: time_s.toFixed(3), cam: camera, from: position.join(","), to: target.join(",") });
  return `#/r/${id}?${query.toString().replaceAll("%2C", ",")}`;
}

function isPoint(point: number[] | undefined): point is number[] {
  return point?.length === 3 && point.every(Number.isFinite);
}
