// What the file says in its own words: details, findings, every statistic under its own name.

import type { StatGroup, StatSubject, StatValue } from "../../data/source";
import { short } from "../../format";
import type { Viewer } from "../viewer/session";

export function TechnicalPanel({ viewer }: { viewer: Viewer }) {
  const { outline, row } = viewer.recording;
  const { summary, stats, findings } = outline;
  const facts: [string, string][] = [
    ["file", row.file],
    ["bytes", row.bytes?.toLocaleString("en") ?? ""],
    ["format", outline.format],
    ["version", summary.version],
    ["date", summary.date ?? ""],
    ["map", summary.map ?? ""],
    ["frames", summary.frames === undefined ? "" : String(summary.frames)],
    ...Object.entries(summary.details),
  ];
  return (
    <div class="panel technical">
      <Pairs title="Recording" rows={facts.filter(([, value]) => value !== "")} open />
      {summary.players.map(({ name, details }, index) => (
        <Pairs key={`${name} ${index}`} title={`Player ${name}`} rows={Object.entries(details)} />
      ))}
      {findings.length > 0 && (
        <Pairs
          title={`Findings (${findings.length})`}
          rows={findings.map(({ severity, path, message }) => [severity, path ? `${path}: ${message}` : message])}
          open
        />
      )}
      {stats && <Tables title="Teams" subjects={stats.teams ?? []} />}
      {stats && <Tables title="Players" subjects={stats.players} />}
      {Object.entries(stats?.recording ?? {}).map(([name, group]) => (
        <Pairs key={name} title={name} rows={Object.entries(group).map(([key, value]) => [key, told(value)])} />
      ))}
    </div>
  );
}

function told(value: StatValue | undefined): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return short(value);
  return Array.isArray(value) ? value.map(short).join(" ") : value;
}

function Pairs({ title, rows, open = false }: { title: string; rows: [string, string][]; open?: boolean }) {
  if (rows.length === 0) return null;
  return (
    <details open={open}>
      <summary>{title}</summary>
      <table>
        <tbody>
          {rows.map(([name, value], index) => (
            <tr key={`${name} ${index}`}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Tables({ title, subjects }: { title: string; subjects: StatSubject[] }) {
  const isGroup = (value: StatSubject[string]): value is StatGroup => typeof value === "object" && value !== null;
  const groups = [
    ...new Set(subjects.flatMap((subject) => Object.keys(subject).filter((key) => isGroup(subject[key])))),
  ];
  return (
    <>
      {groups.map((group) => {
        const own = subjects.map((subject) => (isGroup(subject[group]) ? subject[group] : {}));
        const keys = [...new Set(own.flatMap((values) => Object.keys(values)))];
        return (
          <details key={group}>
            <summary>
              {title}: {group}
            </summary>
            <div class="scroll" tabIndex={0}>
              <table>
                <thead>
                  <tr>
                    <td />
                    {subjects.map(({ name }, index) => (
                      <th key={`${name} ${index}`} scope="col">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {keys.map((key) => (
                    <tr key={key}>
                      <th scope="row">{key}</th>
                      {own.map((values, index) => (
                        <td key={index}>{told(values[key])}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </details>
        );
      })}
    </>
  );
}
