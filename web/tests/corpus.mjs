// Files of the corpus open and draw something in time, without a word in the console: one in ONE_IN, or with
// POSTGAME_ALL=1 every one.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { open, serve } from "./harness.mjs";
import { chosen, corpus } from "./tour.mjs";

/** On a quiet machine with a release build; elsewhere POSTGAME_SLOW names how many times as long it may take. */
const MAX_MS = 3000;
const MAX_LARGE_MS = 5000;
const LARGE_BYTES = 1_000_000;
const ONE_IN = 8;

export const tests = {
  async "files of the corpus open and draw"(browser) {
    if (!existsSync(corpus)) return console.log("    skipped: there is no corpus");
    const server = await serve(corpus);
    let list;
    do list = await (await fetch(`${server.address}api/recordings`)).json();
    while (list.read < list.total);
    const slow = Number(process.env.POSTGAME_SLOW ?? (process.env.POSTGAME_RELEASE ? 1 : 30));
    const { page, check } = await open(browser, server.address, { width: 640, height: 480 });
    const times_ms = [];
    const unopened = [];
    const readable = list.rows.filter(({ error }) => !error);
    for (const { id, file, bytes, format } of chosen(readable, ONE_IN)) {
      const start = performance.now();
      await page.evaluate((id) => {
        location.hash = `#/r/${id}`;
      }, id);
      await page.waitForFunction(
        (id) =>
          (window.postgame.viewer?.row.id === id &&
            window.postgame.viewer.frames > 0 &&
            !window.postgame.viewer.isWaiting.value) ||
          document.querySelector("[role=alert]"),
        id,
        { timeout: 180_000, polling: 20 },
      );
      const took_ms = performance.now() - start;
      times_ms.push([took_ms, file]);
      if (!(await page.evaluate(() => window.postgame.viewer))) {
        unopened.push(file);
        continue;
      }
      assert(
        await page.evaluate(
          () =>
            window.postgame.viewer.stage.renderer.info.render.calls > 0 ||
            window.postgame.viewer.recording.entities.count === 0,
        ),
        `${file}: nothing is drawn`,
      );
      const isLarge = format.startsWith("satisfactory") && bytes > LARGE_BYTES;
      assert(took_ms < (isLarge ? MAX_LARGE_MS : MAX_MS) * slow, `${file} took ${took_ms.toFixed(0)} ms`);
    }
    times_ms.sort((a, b) => b[0] - a[0]);
    console.log(
      `    ${times_ms.length} files, ${unopened.length} of them tell why they do not open; slowest ${times_ms
        .slice(0, 3)
        .map(([ms, file]) => `${file} ${ms.toFixed(0)} ms`)
        .join(", ")}`,
    );
    check();
    await page.close();
    server.stop();
  },
};
