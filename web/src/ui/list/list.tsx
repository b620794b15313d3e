// The list of recordings: fills while headers are read, sorted and filtered by the person.

import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { Row } from "../../data/source";
import { count } from "../../format";
import { rowTitle } from "../../names/headline";
import { keyOf } from "../../state/route";
import type { Library } from "./library";
import { arrange, type Block, blocksOf, COLUMNS, type Column, cell, games, shortGame, type Wish } from "./rows";

export function List({ library }: { library: Library }) {
  const wish = useSignal<Wish>({ words: "", game: "", by: "date", isDown: true });
  const main = useRef<HTMLElement>(null);
  const rows = library.rows.value;
  const found = useMemo(() => arrange(rows, wish.value), [rows, wish.value]);
  const change = (part: Partial<Wish>) => {
    wish.value = { ...wish.peek(), ...part };
  };
  const links = () => [...(main.current?.querySelectorAll<HTMLAnchorElement>("tbody a") ?? [])];
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const all = links();
    const here = all.indexOf(document.activeElement as HTMLAnchorElement);
    const next = all[here < 0 ? 0 : Math.min(all.length - 1, Math.max(0, here + step))];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <main class="list" onKeyDown={move} ref={main}>
      <div class="tools">
        <input
          type="search"
          placeholder="Filter: name, map, player …"
          aria-label="Filter recordings"
          value={wish.value.words}
          onInput={(event) => change({ words: event.currentTarget.value })}
        />
        <Chips rows={rows} chosen={wish.value.game} choose={(game) => change({ game })} />
        <State library={library} found={found.length} isFiltered={wish.value.words !== "" || wish.value.game !== ""} />
      </div>
      {found.length > 0 && (
        <table>
          <Head wish={wish.value} change={change} />
          {/* Sets and sessions stand together in the order of time; any other order is that of single recordings. */}
          {wish.value.by === "date" ? (
            blocksOf(found).map((block) => <Together key={block.key} block={block} />)
          ) : (
            <tbody>
              {found.map((row) => (
                <Line key={row.id} row={row} />
              ))}
            </tbody>
          )}
        </table>
      )}
      {found.length === 0 && library.isComplete && (
        <Empty isFiltered={rows.length > 0} reset={() => change({ words: "", game: "" })} />
      )}
    </main>
  );
}

function Chips({ rows, chosen, choose }: { rows: readonly Row[]; chosen: string; choose: (game: string) => void }) {
  const all = games(rows);
  if (all.length < 2) return null;
  return (
    <fieldset class="chips">
      <legend class="unseen">Games</legend>
      {[["", rows.length] as const, ...all].map(([game, number]) => (
        <button
          key={game}
          type="button"
          class="chip"
          aria-pressed={chosen === game}
          onClick={() => choose(chosen === game ? "" : game)}
        >
          {game || "All"} <span class="number">{number}</span>
        </button>
      ))}
    </fieldset>
  );
}

function State({ library, found, isFiltered }: { library: Library; found: number; isFiltered: boolean }) {
  const [rows, total] = [library.rows.value.length, library.total.value];
  let text = "Reading …";
  if (library.trouble.value) text = library.trouble.value;
  else if (total !== undefined && rows < total) text = `${rows} of ${total} read`;
  else if (total !== undefined)
    text = isFiltered ? `${found} of ${count(total, "recording")}` : count(total, "recording");
  return (
    <p class={library.trouble.value ? "state trouble" : "state"} role="status">
      {text}
    </p>
  );
}

function Head({ wish, change }: { wish: Wish; change: (part: Partial<Wish>) => void }) {
  const sort = (column: Column) =>
    change({ by: column, isDown: column === wish.by ? !wish.isDown : column === "date" });
  return (
    <thead>
      <tr>
        {COLUMNS.map(([column, name]) => (
          <th
            key={column}
            scope="col"
            aria-sort={column !== wish.by ? "none" : wish.isDown ? "descending" : "ascending"}
          >
            <button type="button" onClick={() => sort(column)}>
              {name}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Together({ block: { title, detail, rows } }: { block: Block }) {
  return (
    <tbody class={title ? "together" : undefined}>
      {title && (
        <tr class="head">
          <th scope="rowgroup" colSpan={COLUMNS.length}>
            {title} <span class="note">{detail}</span>
          </th>
        </tr>
      )}
      {rows.map((row) => (
        <Line key={row.id} row={row} />
      ))}
    </tbody>
  );
}

function Line({ row }: { row: Row }) {
  const address = `#/r/${keyOf(row)}`;
  const open = (event: MouseEvent) => {
    // A link does it itself; text that is being selected is not a click.
    if ((event.target as Element).closest("a") || String(getSelection() ?? "")) return;
    location.hash = address;
  };
  if (row.error) {
    return (
      <tr class="broken">
        <td data-label="Game">Unreadable</td>
        <td colSpan={COLUMNS.length - 2} class="reason">
          {row.error}
        </td>
        <td data-label="File" class="file">
          {row.file}
        </td>
      </tr>
    );
  }
  return (
    <tr onClick={open}>
      {COLUMNS.map(([column, name]) => (
        <td key={column} data-label={name} class={column}>
          {column === "file" ? (
            <a href={address} title={rowTitle(row)}>
              {row.file}
            </a>
          ) : column === "game" ? (
            <>
              <span class="game-chip" data-game={shortGame(row.game)} aria-hidden="true">
                {shortGame(row.game)}
              </span>
              {cell(row, column)}
            </>
          ) : (
            cell(row, column)
          )}
        </td>
      ))}
    </tr>
  );
}

function Empty({ isFiltered, reset }: { isFiltered: boolean; reset: () => void }) {
  return isFiltered ? (
    <div class="empty">
      <h2>No recording fits</h2>
      <p>No name, map, player or file has these words.</p>
      <button type="button" class="primary" onClick={reset}>
        Show all
      </button>
    </div>
  ) : (
    <div class="empty">
      <h2>There are no recordings here</h2>
      <p>
        Start again with a folder of replays or saves: <code>postgame view FOLDER</code>
      </p>
    </div>
  );
}
