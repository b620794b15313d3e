// The scoreboard of a game: one row for each who played, by team, the winner first said.

import type { StatSubject } from "../../data/source";
import { short } from "../../format";
import type { Person } from "../../people";
import type { Viewer } from "../viewer/session";

/** A column: its head, and where its number is. */
type Column = [head: string, title: string, group: string, key: string];

const COLUMNS: Record<string, Column[]> = {
  "rocket-league": [
    ["Score", "Points", "core", "score"],
    ["G", "Goals", "core", "goals"],
    ["A", "Assists", "core", "assists"],
    ["Sv", "Saves", "core", "saves"],
    ["Sh", "Shots", "core", "shots"],
    ["Dm", "Demolitions", "demo", "inflicted"],
  ],
  slippi: [
    ["Kills", "Stocks taken", "overall", "kills"],
    ["Damage", "Damage dealt, in percent", "overall", "damage_percent"],
    ["O/K", "Openings for each kill", "overall", "openings_per_kill"],
    ["L", "L-cancels that worked", "technique", "l_cancel_rate"],
    ["IPM", "Inputs a minute", "overall", "inputs_per_minute"],
  ],
  rumble: [
    ["Hits", "Hits dealt", "attack", "hits_dealt"],
    ["Dealt", "Damage dealt", "attack", "damage_dealt"],
    ["Taken", "Damage taken", "fight", "damage_taken"],
    ["Health", "Health at the end", "fight", "last_health"],
  ],
};
const RATES = new Set(["l_cancel_rate"]);

export function Scoreboard({ viewer }: { viewer: Viewer }) {
  const { outline } = viewer.recording;
  const columns = COLUMNS[outline.format];
  const players = outline.stats?.players ?? [];
  if (!columns || players.length === 0) return null;
  const used = columns.filter(([, , group, key]) => players.some((player) => number(player, group, key) !== undefined));
  const sides = sidesOf(viewer, players);
  return (
    <section aria-label="Scoreboard">
      <table class="scoreboard">
        <thead>
          <tr>
            <th scope="col">Player</th>
            {used.map(([head, title]) => (
              <th key={head} scope="col" title={title}>
                <abbr title={title}>{head}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        {sides.map(({ name, score, rows }) => (
          <tbody key={name}>
            {name && (
              <tr class="side-head">
                <th scope="rowgroup" colSpan={used.length + 1}>
                  {name} {score !== undefined && <b>{score}</b>}
                </th>
              </tr>
            )}
            {rows.map(({ subject, person }, index) => (
              <tr key={`${subject.name} ${index}`}>
                <th scope="row">
                  <span class="who-cell">
                    <i class="swatch" style={{ background: person?.colour }} />
                    <span class="who-name" title={subject.name}>
                      {person?.name ?? subject.name}
                    </span>
                    <Details viewer={viewer} subject={subject} />
                  </span>
                </th>
                {used.map(([head, , group, key]) => (
                  <td key={head}>{told(number(subject, group, key), key)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function Details({ viewer, subject }: { viewer: Viewer; subject: StatSubject }) {
  const group = subject["overall"];
  const won = typeof group === "object" && group["won"] === "yes";
  const own = viewer.recording.outline.stats?.players.find(({ name }) => name === subject.name);
  const isMvp = own && number(own, "core", "mvp") === 1;
  const character = typeof group === "object" && typeof group["character"] === "string" ? group["character"] : "";
  return (
    <>
      {character && <span class="note character">{character}</span>}
      {won && <span class="badge">won</span>}
      {isMvp && <span class="badge">MVP</span>}
    </>
  );
}

interface Side {
  name: string;
  score: number | undefined;
  rows: { subject: StatSubject; person: Person | undefined }[];
}

function sidesOf({ people, recording }: Viewer, players: StatSubject[]): Side[] {
  const persons = [...people.all];
  const rows = players.map((subject) => {
    const found = persons.findIndex(({ fullName }) => fullName === subject.name);
    return { subject, person: found < 0 ? undefined : persons.splice(found, 1)[0] };
  });
  const teams = recording.outline.stats?.teams ?? [];
  if (teams.length < 2) return [{ name: "", score: undefined, rows }];
  // The score at the end counts own goals too, which no player has.
  const told = recording.outline.summary.score?.split("-").map(Number) ?? [];
  return teams.map((team, index) => ({
    name: team.name.charAt(0).toUpperCase() + team.name.slice(1),
    score: told[index] ?? number(team, "core", "goals"),
    rows: rows
      .filter(({ subject, person }) => (subject.team ?? person?.team) === (team.team ?? index))
      .sort((a, b) => (number(b.subject, "core", "score") ?? 0) - (number(a.subject, "core", "score") ?? 0)),
  }));
}

function number(subject: StatSubject, group: string, key: string): number | undefined {
  const own = subject[group];
  const value = typeof own === "object" ? own[key] : undefined;
  return typeof value === "number" ? value : undefined;
}

function told(value: number | undefined, key: string): string {
  if (value === undefined) return "–";
  return RATES.has(key) ? `${Math.round(value * 100)} %` : short(value);
}
