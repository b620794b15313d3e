// Slippi in the page: the sample, a file that grows, and what some recordings of the corpus show.

import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { comparePositions, open, openRecording, picture, ready, seek, serve } from "./harness.mjs";
import { corpus, done, ofFormat, read, samples, tour } from "./tour.mjs";

export const tests = {
  async "Slippi: the sample"(browser) {
    const [file] = samples(".slp");
    assert(file, "there is no Slippi sample");
    const tourist = await tour(browser, file, "slippi", { atLeast: 2, cameras: [1, 2], name: "slippi-sample" });
    const hud = await tourist.page.locator(".gauge .value").allTextContents();
    assert(hud.length >= 2 && hud.every((text) => /^\d+ %$/.test(text)), `percents: ${hud}`);
    await done(tourist);
  },

  async "Slippi: a file that is being written plays as it grows"(browser) {
    const [file] = samples(".slp");
    const bytes = readFileSync(file);
    const folder = mkdtempSync(join(tmpdir(), "postgame-"));
    const live = join(folder, "live.slp");
    const part = (of) => Math.floor(bytes.length * of);
    writeFileSync(live, bytes.subarray(0, part(0.4)));
    const server = await serve(live);
    const { page, check } = await open(browser, server.address);
    await openRecording(page, "live.slp");
    const end = () => page.evaluate(() => window.postgame.viewer?.recording.end_s ?? -1);
    const first_s = await end();
    assert(first_s > 0);
    await page.evaluate(() => window.postgame.viewer.player.seek(Infinity));
    for (const [from, to] of [
      [0.4, 0.6],
      [0.6, 0.9],
    ]) {
      const before_s = await end();
      appendFileSync(live, bytes.subarray(part(from), part(to)));
      await page.waitForFunction((before_s) => (window.postgame.viewer?.recording.end_s ?? -1) > before_s, before_s);
    }
    const last_s = await end();
    await page.evaluate(() => window.postgame.viewer.player.play());
    await page.waitForFunction((first_s) => window.postgame.viewer.player.time_s > first_s, first_s);
    await comparePositions(page, server.address, [first_s + (last_s - first_s) / 2], 2);
    console.log(`    grew from ${first_s.toFixed(1)} s to ${last_s.toFixed(1)} s while it was shown`);
    check();
    await page.close();
    server.stop();
  },

  async "Slippi: rollbacks, moving platforms, wind, hitstun and other stages"(browser) {
    const folder = join(corpus, "slippi");
    if (!existsSync(folder)) return console.log("    skipped: there is no corpus");
    const rows = await ofFormat(folder, "slippi");
    const server = await serve(folder);
    const list = async () => await (await fetch(`${server.address}api/recordings`)).json();
    while ((await list()).read < rows.length) await new Promise((resolve) => setTimeout(resolve, 100));
    const { page, check } = await open(browser, server.address, { width: 900, height: 560 });
    const show = async (file) => {
      const { id } = (await list()).rows.find((row) => row.file === file);
      await page.goto(`${server.address}#/r/${id}`);
      await page.waitForFunction((id) => window.postgame.viewer?.recording.id === id, id);
      await ready(page);
      return id;
    };
    // Frames that were computed more than once say so, and show what was seen first.
    const rolled = rows.find(({ file }) => file === "rollbackFrameTest.slp") ?? rows[0];
    await show(rolled.file);
    await page.waitForFunction(() => window.postgame.viewer.game.rollbacks.count > 0);
    await seek(
      page,
      await read(page, (viewer) => viewer.game.rollbacks.times_s[Math.floor(viewer.game.rollbacks.count / 2)]),
    );
    assert.match(await page.locator(".hud > .note").textContent(), /computed \d+ times/);
    await picture(page, "slippi-rollback");
    // The platforms of Fountain of Dreams are where the library says.
    await show("FodPlatforms.slp");
    const [start_s, end_s] = await read(page, (viewer) => [viewer.recording.start_s, viewer.recording.end_s]);
    await comparePositions(
      page,
      server.address,
      [0.2, 0.5, 0.8].map((part) => start_s + (end_s - start_s) * part),
      3,
    );
    await picture(page, "slippi-fountain");
    // Whispy blows: arrows that way, and a line of text.
    const whispy = rows.find(({ file }) => /whispy/i.test(file));
    if (whispy) {
      const id = await show(whispy.file);
      let seen = 0;
      for (const part of [0.1, 0.25, 0.4, 0.55, 0.7, 0.85]) {
        await seek(
          page,
          (await read(page, (viewer) => viewer.recording.start_s)) +
            part * (await read(page, (viewer) => viewer.recording.end_s - viewer.recording.start_s)),
        );
        const time_s = await read(page, (viewer) => viewer.player.time_s);
        const { entities } = await (
          await fetch(`${server.address}api/recordings/${id}/moment?time_s=${time_s}`)
        ).json();
        const wind = entities.find(({ kind }) => kind === "wind")?.values.wind ?? "none";
        assert.equal(await read(page, (viewer) => viewer.game.stage.arrows.visible), wind !== "none", `wind ${wind}`);
        seen += wind === "none" ? 0 : 1;
      }
      console.log(`    wind at ${seen} of 6 moments`);
    }
    // Hitstun as recorded, after the first hits of a game whose recorder tells it.
    const id = await show(rolled.file);
    const hits_s = await read(page, (viewer) =>
      viewer.recording.events
        .filter(({ kind }) => kind === "hit")
        .slice(0, 4)
        .map(({ time_s }) => time_s),
    );
    let stunned = 0;
    for (const time_s of hits_s.flatMap((hit_s) => [hit_s, hit_s + 0.1])) {
      await seek(page, time_s);
      const { entities } = await (
        await fetch(
          `${server.address}api/recordings/${id}/moment?time_s=${await read(page, (viewer) => viewer.player.time_s)}`,
        )
      ).json();
      const shown = await page.locator(".gauge .detail").allTextContents();
      for (const [index, { values }] of entities.filter(({ kind }) => kind === "player").entries()) {
        assert.equal(
          /hitstun/.test(shown[index]),
          values.hitstun_frames > 0,
          `${shown[index]}: ${values.hitstun_frames}`,
        );
        stunned += values.hitstun_frames > 0 ? 1 : 0;
      }
    }
    assert(stunned > 0, "nobody was in hitstun");
    // A stage that nobody has measured says so.
    const other = rows.find(
      ({ summary }) =>
        summary.map &&
        ![
          "Battlefield",
          "Final Destination",
          "Dream Land N64",
          "Fountain of Dreams",
          "Pokémon Stadium",
          "Yoshi's Story",
        ].includes(summary.map),
    );
    if (other) {
      await show(other.file);
      assert.match(await page.locator(".notices").textContent(), /measures of this stage are not known/);
    }
    check();
    await page.close();
    server.stop();
  },
};
