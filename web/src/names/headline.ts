// What a recording is, in words: for the head of the page, the document's title, and the names of files.

import type { Recording } from "../data/recording";
import type { Row, Summary } from "../data/source";
import { count, day, minutes } from "../format";
import { mapName } from "./maps";

/** The modes of play as people call them. */
const MODES: Record<string, string> = {
  online: "Online",
  offline: "Local",
  Private: "Private match",
  LAN: "LAN match",
};

export function modeOf({ details }: Summary): string {
  const playlist = details["playlist"];
  const mode = details["mode"] ?? "";
  const named = MODES[mode] ?? mode;
  return [playlist ?? named, details["team_size"]].filter(Boolean).join(" ");
}

/** `Ada, Bo vs Cy, Di` where there are sides, else all names. */
export function playersOf({ players }: Summary): string {
  const teams = new Map<number, string[]>();
  for (const { name, team } of players) {
    if (team !== undefined) teams.set(team, [...(teams.get(team) ?? []), name]);
  }
  if (teams.size >= 2 && players.length > 2)
    return [...teams]
      .sort(([a], [b]) => a - b)
      .map(([, names]) => names.join(", "))
      .join(" vs ");
  const playing = teams.size > 0 ? players.filter(({ team }) => team !== undefined) : players;
  return playing.map(({ name }) => name).join(playing.length === 2 ? " vs " : ", ");
}

/** The characters of a Melee game, in the order of the players. */
export function charactersOf({ players }: Summary): string {
  return players
    .map(({ details }) => details["character"])
    .filter(Boolean)
    .join(" vs ");
}

export interface Headline {
  title: string;
  detail: string;
}

/** The line at the head of the page. */
export function headlineOf(format: string, game: string, summary: Summary): Headline {
  const place = mapName(format, summary.map ?? "");
  const date = day(summary.date);
  const length = summary.duration_s === undefined ? "" : minutes(summary.duration_s);
  const line = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(" · ");
  switch (format) {
    case "rocket-league": {
      const score = summary.score?.replace("-", "–");
      return {
        title: [`${modeOf(summary) || game}${place ? ` on ${place}` : ""}`, score ? `Blue ${score} Orange` : ""]
          .filter(Boolean)
          .join(": "),
        detail: line(date, length, playersOf(summary)),
      };
    }
    case "slippi":
      return {
        title: [playersOf(summary) || "Melee", place ? `on ${place}` : ""].filter(Boolean).join(" "),
        detail: line(charactersOf(summary), modeOf(summary), date, length),
      };
    case "rumble":
      return {
        title: [playersOf(summary) || game, place ? `in the ${place}` : ""].filter(Boolean).join(" "),
        detail: line(summary.details["title"], date, length),
      };
    case "satisfactory":
      return {
        title: summary.details["session"] ?? summary.details["save_name"] ?? game,
        detail: line(
          summary.details["save_name"],
          date,
          length ? `${playTime(summary.duration_s ?? 0)} played` : "",
          `game ${summary.version}`,
        ),
      };
    default:
      return {
        title: summary.details["description"] || game,
        detail: line(
          format === "satisfactory-blueprint" ? "Blueprint" : "",
          date,
          summary.players.length > 0 ? count(summary.players.length, "player") : "",
        ),
      };
  }
}

function playTime(time_s: number): string {
  const hours = Math.floor(time_s / 3600);
  const rest = Math.round((time_s % 3600) / 60);
  return hours > 0 ? `${hours} h ${rest} min` : `${rest} min`;
}

/** The head of an open recording; what has no name of its own goes by its file's. */
export function headline({ outline, row }: Recording): Headline {
  const own = headlineOf(outline.format, outline.game, outline.summary);
  return own.title === outline.game ? { ...own, title: row.file.replace(/\.\w+$/, "") } : own;
}

/** The same for a row of the list, in one line. */
export function rowTitle({ format, game, summary, file }: Row): string {
  return format && summary ? headlineOf(format, game ?? "", summary).title : file;
}
