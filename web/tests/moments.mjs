// Everything the page knows is what the library says: every value of every entity at 20 times, and what the HUD shows.
// One in ONE_IN files of the corpus; POSTGAME_ALL=1 takes all of them, POSTGAME_FILES those with a part in their name.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { open, serve } from "./harness.mjs";
import { chosen, corpus } from "./tour.mjs";

const TIMES = 20;
const ONE_IN = 12;
/** As many entities of a save are compared at each time. */
const MAX_ENTITIES = 1500;

/** In the page: compares one moment, and says what differs. */
function compare({ moment, limit }) {
  const { recording } = window.postgame.viewer;
  const time_s = moment.time_s;
  const wrong = [];
  let compared = 0;
  const present = new Set(moment.entities.map(({ id }) => id));
  const step = Math.max(1, Math.ceil(moment.entities.length / limit));
  for (let index = 0; index < moment.entities.length; index += step) {
    const { id, name, values } = moment.entities[index];
    for (const [column, value] of Object.entries(values)) {
      const own = recording.column(id, column);
      const at = own.at(time_s);
      const is =
        at === undefined
          ? undefined
          : typeof value === "string"
            ? own.text(time_s)
            : typeof value === "boolean"
              ? at[0] === 1
              : Array.isArray(value)
                ? [...at].slice(0, value.length)
                : at[0];
      const near = (a, b) => (b === null ? !Number.isFinite(a) : Math.abs(a - b) <= 1e-3 * Math.max(1, Math.abs(b)));
      // The two quaternions q and −q are one rotation.
      const dot =
        Array.isArray(value) && value.length === 4 && is
          ? Math.abs(value.reduce((sum, part, axis) => sum + part * is[axis], 0))
          : undefined;
      const isSame =
        dot !== undefined
          ? dot > 0.9999
          : Array.isArray(value)
            ? is !== undefined && value.every((part, axis) => near(is[axis], part))
            : typeof value === "number"
              ? is !== undefined && near(is, value)
              : is === value;
      compared++;
      if (!isSame)
        wrong.push(`${name}.${column} at ${time_s}: page ${JSON.stringify(is)}, library ${JSON.stringify(value)}`);
    }
    // What the library does not tell, the page does not know.
    for (const column of ["score", "boost_percent", "health", "percent", "stocks", "position"]) {
      if (!(column in values) && recording.column(id, column).at(time_s) !== undefined)
        wrong.push(`${name}.${column} at ${time_s}: the library tells nothing`);
    }
  }
  for (let id = 0; id < recording.entities.count; id += step)
    if (recording.isPresent(id, time_s) !== present.has(id))
      wrong.push(`presence of ${recording.entities.name(id)} at ${time_s}`);
  return { wrong: wrong.slice(0, 5), compared, hud: window.postgame.viewer.game.hudAt(time_s) };
}

/** What the HUD shows is what was recorded. */
function checkHud(hud, moment, file) {
  if (!hud) return;
  const where = `${file} at ${moment.time_s}`;
  const teams = moment.entities.filter(({ kind }) => kind === "team").sort((a, b) => a.name.localeCompare(b.name));
  if (hud.score && teams.length >= 2)
    assert.deepEqual(
      hud.score,
      teams.slice(0, 2).map(({ values }) => String(values.score ?? 0)),
      `score in ${where}`,
    );
  const gauges = [...hud.left, ...hud.right];
  for (const { id, value, stocks } of gauges) {
    const own = moment.entities.find((entity) => entity.id === id);
    assert(own, `${where}: a gauge for an absent player`);
    if (own.values.health !== undefined) assert.equal(value, String(own.values.health), `health in ${where}`);
    if (own.values.percent !== undefined)
      assert.equal(value, `${Math.floor(own.values.percent)} %`, `percent in ${where}`);
    if (own.values.stocks !== undefined) assert.equal(stocks, own.values.stocks, `stocks in ${where}`);
  }
}

export const tests = {
  async "the page against the library at 20 times"(browser) {
    if (!existsSync(corpus)) return console.log("    skipped: there is no corpus");
    const server = await serve(
      ...["rocket-league", "slippi", "rumble", "satisfactory"].map((folder) => `${corpus}/${folder}`),
    );
    let list;
    do list = await (await fetch(`${server.address}api/recordings`)).json();
    while (list.read < list.total);
    const readable = list.rows.filter(({ error }) => !error);
    const wanted = chosen(readable, ONE_IN);
    const { page, check } = await open(browser, server.address, { width: 480, height: 360, draws: false });
    let [files, compared, most] = [0, 0, 0];
    for (const { id, file } of wanted) {
      await page.evaluate((id) => {
        location.hash = `#/r/${id}?t=0`;
      }, id);
      await page.waitForFunction(
        (id) => window.postgame.viewer?.row.id === id || document.querySelector("[role=alert]"),
        id,
        { timeout: 180_000 },
      );
      if (!(await page.evaluate(() => window.postgame.viewer))) {
        console.log(`    ${file} does not open: ${await page.locator("[role=alert]").textContent()}`);
        continue;
      }
      const [start_s, end_s] = await page.evaluate(() => [
        window.postgame.viewer.recording.start_s,
        window.postgame.viewer.recording.end_s,
      ]);
      const times = end_s > start_s ? TIMES : 1;
      for (let index = 0; index < times; index++) {
        const time_s = start_s + ((end_s - start_s) * (index + 0.5)) / times;
        await page.evaluate(async (time_s) => {
          const { viewer } = window.postgame;
          viewer.player.pause();
          viewer.player.seek(time_s);
          while (!viewer.recording.isLoaded(time_s)) await new Promise((resolve) => setTimeout(resolve, 10));
          viewer.show(0);
        }, time_s);
        const moment = await (await fetch(`${server.address}api/recordings/${id}/moment?time_s=${time_s}`)).json();
        const found = await page.evaluate(compare, { moment, limit: MAX_ENTITIES });
        assert.deepEqual(found.wrong, [], file);
        checkHud(found.hud, moment, file);
        compared += found.compared;
        most = Math.max(most, (found.hud?.left.length ?? 0) + (found.hud?.right.length ?? 0));
      }
      files++;
    }
    console.log(`    ${files} files, ${compared} values, at most ${most} gauges`);
    assert(most <= 8, "more gauges than anybody plays with");
    check();
    await page.close();
    server.stop();
  },
};
