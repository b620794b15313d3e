// Events and statistics as tables for spreadsheets.

import type { Recording } from "../../data/recording";
import type { StatGroup, Stats } from "../../data/source";

type Cell = string | number | null | undefined;

/** Lines of cells; what a spreadsheet would take for more than text is put in quotes. */
export function csv(rows: Cell[][]): string {
  const cell = (value: Cell) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\n");
}

export function eventsTable(recording: Recording): Cell[][] {
  const details = [...new Set(recording.events.flatMap((event) => Object.keys(event.details)))];
  const name = (id: number | null) => recording.entity(id)?.name;
  return [
    ["time_s", "frame", "kind", "who", "whom", "x_m", "y_m", "z_m", ...details],
    ...recording.events.map((event) => [
      event.time_s - recording.start_s,
      event.frame,
      event.kind,
      name(event.who),
      name(event.whom),
      ...(event.position ?? [null, null, null]),
      ...details.map((key) => event.details[key]),
    ]),
  ];
}

export function statsTable(stats: Stats): Cell[][] {
  const rows: Cell[][] = [["subject", "name", "group", "statistic", "value"]];
  const add = (subject: string, name: string, group: string, values: StatGroup) => {
    for (const [key, value] of Object.entries(values))
      rows.push([subject, name, group, key, Array.isArray(value) ? value.join(" ") : value]);
  };
  for (const [subject, all] of [
    ["team", stats.teams ?? []],
    ["player", stats.players],
  ] as const) {
    for (const one of all)
      for (const [group, values] of Object.entries(one))
        if (typeof values === "object") add(subject, one.name, group, values);
  }
  for (const [group, values] of Object.entries(stats.recording)) add("recording", "", group, values);
  return rows;
}
