// What the list says of a recording, and how it is sorted and filtered.

import type { Row } from "../../data/source";
import { day, hour, minutes } from "../../format";
import { charactersOf, modeOf, playersOf } from "../../names/headline";
import { mapName } from "../../names/maps";

export type Column = "game" | "players" | "mode" | "map" | "score" | "length" | "date" | "file";

export const COLUMNS: [Column, string][] = [
  ["game", "Game"],
  ["players", "Players"],
  ["mode", "Mode"],
  ["map", "Map"],
  ["score", "Result"],
  ["length", "Length"],
  ["date", "Date"],
  ["file", "File"],
];

/** Two letters, for the chip beside a game's name. */
const SHORT: Record<string, string> = {
  "Rocket League": "RL",
  "Super Smash Bros. Melee": "SM",
  Slippi: "SM",
  Satisfactory: "SF",
  RUMBLE: "RU",
};

export function shortGame(game: string | undefined): string {
  return SHORT[game ?? ""] ?? (game ?? "??").slice(0, 2).toUpperCase();
}

/** A cell's text. */
export function cell({ format, game, summary, file, error }: Row, column: Column): string {
  switch (column) {
    case "game":
      return game ?? (error ? "Unreadable" : "");
    case "players":
      return summary ? playersOf(summary) || (summary.details["session"] ?? summary.details["description"] ?? "") : "";
    case "mode":
      return summary ? charactersOf(summary) || modeOf(summary) : "";
    case "map":
      return mapName(format ?? "", summary?.map ?? "");
    case "score":
      return summary?.score?.replace("-", "–") ?? summary?.details["winner"] ?? "";
    case "length":
      return summary?.duration_s === undefined ? "" : minutes(summary.duration_s);
    case "date":
      return [day(summary?.date), hour(summary?.date)].filter(Boolean).join(", ");
    case "file":
      return file;
  }
}

function rank(row: Row, column: Column): number | string {
  if (column === "length") return row.summary?.duration_s ?? -1;
  if (column === "date") return row.summary?.date ?? "";
  return cell(row, column);
}

export interface Wish {
  words: string;
  game: string;
  by: Column;
  isDown: boolean;
}

/** The rows that are wanted, in order. */
export function arrange(rows: readonly Row[], { words, game, by, isDown }: Wish): Row[] {
  const wanted = words.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const text = (row: Row) =>
    COLUMNS.map(([column]) => cell(row, column))
      .join(" ")
      .toLowerCase();
  const found = rows.filter((row) => {
    if (game && cell(row, "game") !== game) return false;
    const all = wanted.length > 0 ? text(row) : "";
    return wanted.every((word) => all.includes(word));
  });
  const order = isDown ? -1 : 1;
  return found.sort((a, b) => {
    const [x, y] = [rank(a, by), rank(b, by)];
    const less = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
    return order * less || a.id - b.id;
  });
}

/** The games that are there, and how many recordings each has; most first. */
export function games(rows: readonly Row[]): [game: string, count: number][] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(cell(row, "game"), (counts.get(cell(row, "game")) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** What belongs together: games of one set, saves of one session. */
export function sessionOf({ format, summary }: Row): string | undefined {
  const session = summary?.details["session"];
  return session ? `${format}: ${session}` : undefined;
}

/** Rows that belong together, under one head; a row of its own has none. */
export interface Block {
  key: string;
  title: string;
  detail: string;
  rows: Row[];
}

/** Puts games of one set and saves of one session together, where the first of them stands. */
export function blocksOf(rows: readonly Row[]): Block[] {
  const blocks = new Map<string, Row[]>();
  for (const row of rows) {
    const key = sessionOf(row) ?? `row ${row.id}`;
    const own = blocks.get(key);
    if (own) own.push(row);
    else blocks.set(key, [row]);
  }
  return [...blocks].map(([key, own]) => ({ key, rows: own, ...headOf(own) }));
}

function headOf(rows: Row[]): { title: string; detail: string } {
  const [first] = rows;
  if (!first || rows.length < 2) return { title: "", detail: "" };
  if (first.format === "satisfactory")
    return { title: `Session: ${cell(first, "players")}`, detail: `${rows.length} saves` };
  const wins = new Map<string, number>();
  for (const { summary } of rows) {
    const winner = summary?.details["winner"];
    if (winner) wins.set(winner, (wins.get(winner) ?? 0) + 1);
  }
  const score = [...wins]
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
  return {
    title: `Set: ${cell(first, "players")}`,
    detail: [`${rows.length} games`, score && `won: ${score}`].filter(Boolean).join(" · "),
  };
}
