// Which arena a recording was played in, and its measures.

import type { Overview } from "../../data/overview";
import type { Recording } from "../../data/recording";
import { ARENA_M } from "../../facts/rocket_league";

export type Mode = "soccar" | "hoops" | "dropshot" | "other";

/** Metres. Hoops and Dropshot: RLBot wiki, pages of these names. */
export const HOOPS_M = {
  half_width: 29.6667,
  half_length: 35.81,
  ceiling: 18.2,
  corner: 8.6,
  rim_at: 29.69,
  rim_height: 3.64,
  rim_radius: 6.55,
};
export const DROPSHOT_M = { to_corner: 50.26, ceiling: 20.2 };

export interface ArenaShape {
  mode: Mode;
  /** Corners of the floor, X and Z. */
  outline: [number, number][];
  ceiling: number;
  hasGoals: boolean;
  hasPads: boolean;
  /** Why the picture may not be right. */
  notice: string;
}

/** Maps of the standard shape by the beginning of their file's name; all others are drawn by what moved. */
const ODD =
  /^(arc_p|wasteland_(night_)?p$|neotokyo_(p$|arcade)|throwback|ko_|tutorial|mall|beachvolley|labs_|fte|fni_|swoosh|music_beat|gridiron)/i;
const KNOCKOUT = /knockout|gridiron|tutorial|training/i;

export function modeOf({ outline: { summary } }: Recording): Mode {
  const told = `${summary.map ?? ""} ${summary.details["mode"] ?? ""} ${summary.details["playlist"] ?? ""} ${summary.details["map_file"] ?? ""} ${summary.details["match_type"] ?? ""}`;
  if (/hoops|basketball|dunk house|the block/i.test(told)) return "hoops";
  if (/shattershot|dropshot|core 707/i.test(told)) return "dropshot";
  const raw = summary.details["map_file"] ?? summary.map ?? "";
  return ODD.test(raw) || KNOCKOUT.test(told) ? "other" : "soccar";
}

function cut(w: number, l: number, c: number): [number, number][] {
  return [
    [w - c, l],
    [w, l - c],
    [w, c - l],
    [w - c, -l],
    [c - w, -l],
    [-w, c - l],
    [-w, l - c],
    [c - w, l],
  ];
}

/** The shape for a mode whose measures are known. */
export function knownShape(mode: Mode): ArenaShape | undefined {
  switch (mode) {
    case "soccar": {
      const { half_width, half_length, corner, ceiling } = ARENA_M;
      return {
        mode,
        outline: cut(half_width, half_length, corner),
        ceiling,
        hasGoals: true,
        hasPads: true,
        notice: "",
      };
    }
    case "hoops":
      return {
        mode,
        outline: cut(HOOPS_M.half_width, HOOPS_M.half_length, HOOPS_M.corner),
        ceiling: HOOPS_M.ceiling,
        hasGoals: false,
        hasPads: false,
        notice: "",
      };
    case "dropshot": {
      const corner = (index: number): [number, number] => {
        const angle = (index * Math.PI) / 3;
        return [Math.cos(angle) * DROPSHOT_M.to_corner, Math.sin(angle) * DROPSHOT_M.to_corner];
      };
      return {
        mode,
        outline: [0, 1, 2, 3, 4, 5].map(corner),
        ceiling: DROPSHOT_M.ceiling,
        hasGoals: false,
        hasPads: false,
        notice: "",
      };
    }
    default:
      return undefined;
  }
}

/** Where no measures are known: what moved was within this. */
export function boundsShape(overview: Overview): ArenaShape {
  let [x, y, z] = [10, 5, 10];
  for (const { values } of overview.positions) {
    for (let at = 0; at < values.length; at += 3) {
      if (!Number.isFinite(values[at])) continue;
      x = Math.max(x, Math.abs(values[at] as number));
      y = Math.max(y, values[at + 1] as number);
      z = Math.max(z, Math.abs(values[at + 2] as number));
    }
  }
  const [w, l] = [x + 1, z + 1];
  return {
    mode: "other",
    outline: [
      [w, l],
      [w, -l],
      [-w, -l],
      [-w, l],
    ],
    ceiling: y + 1,
    hasGoals: false,
    hasPads: false,
    notice: "The measures of this arena are not known: the floor is as large as what moved on it.",
  };
}

/** Which way around the corners of a floor go, seen from above with X to the right and Z up. */
export function isClockwise(outline: [number, number][]): boolean {
  const area = outline.reduce((sum, [x, z], index) => {
    const [nextX, nextZ] = outline[(index + 1) % outline.length] as [number, number];
    return sum + x * nextZ - nextX * z;
  }, 0);
  return area < 0;
}
