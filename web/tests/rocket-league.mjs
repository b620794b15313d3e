// Rocket League in the page: the sample, and a six-player replay where the corpus is.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { assertLight, comparePositions, drawn, open, openRecording, picture, root, seek, serve } from "./harness.mjs";
import { corpus, done, ofFormat, read, tour } from "./tour.mjs";

export const tests = {
  async "Rocket League: the sample"(browser) {
    const own = await ofFormat(join(root, "samples"), "rocket-league");
    assert(own.length > 0, "there is no Rocket League sample");
    await done(
      await tour(browser, join(root, "samples", own[0].file), "rocket-league", {
        atLeast: 2,
        cameras: [1, 2, 3],
        name: "rocket-league-sample",
        // Just before the goal.
        pictured: 0.83,
      }),
    );
  },

  async "Rocket League: hitboxes by body, pads that empty and refill, the recorded ball camera"(browser) {
    const [row] = await ofFormat(join(root, "samples"), "rocket-league");
    const server = await serve(join(root, "samples", row.file));
    const { page, check } = await open(browser, server.address);
    await openRecording(page, row.file);
    await seek(page, (await read(page, (viewer) => viewer.recording.end_s)) / 2);
    const moment = async () =>
      (
        await (
          await fetch(
            `${server.address}api/recordings/0/moment?time_s=${await read(page, (viewer) => viewer.player.time_s)}`,
          )
        ).json()
      ).entities;
    // 23 is the Octane: 118.01, 36.16 and 84.2 uu.
    const bodies = (await moment()).flatMap(({ values }) => values.body_id ?? []);
    const sizes = await read(page, (viewer) => viewer.game.hulls.map(({ hitbox }) => hitbox.size_m));
    assert(sizes.length >= 2 && bodies.every((body) => body === 23), `bodies ${bodies}`);
    for (const size of sizes) assert.deepEqual(size, [1.1801, 0.3616, 0.842]);
    // At the moments at which a pad is taken and at which it is back, the scene shows it so.
    const events = await read(page, (viewer) =>
      viewer.recording.events.filter(({ kind }) => kind === "boost-pickup").slice(0, 3),
    );
    for (const { time_s } of events) {
      for (const later_s of [time_s + 0.05, time_s + 11]) {
        await seek(page, later_s);
        const shown = await read(page, (viewer) => viewer.game.pads.filter(({ pad }) => !pad.full.visible).length);
        const empty = (await moment()).filter(
          ({ kind, values }) => kind === "boost-pad" && values.available === false,
        ).length;
        assert.equal(shown, empty, `empty pads at ${later_s} s`);
      }
    }
    const follow = await read(page, (viewer) => viewer.game.cameras.find(({ id }) => id.startsWith("car-")).id);
    await page.getByLabel("Camera", { exact: true }).selectOption(follow);
    const looks = async (mode) => {
      await page.getByLabel("Ball camera").selectOption(mode);
      await seek(page, 7.1);
      await seek(page, 7);
      return read(page, (viewer) => viewer.stage.camera.quaternion.toArray());
    };
    const [on, off] = [await looks("on"), await looks("off")];
    assert.notDeepEqual(on, off, "the ball camera looks elsewhere");
    const recorded = await looks("recorded");
    const isOn =
      (await moment()).find(({ kind, values }) => kind === "camera" && values.ball_camera !== undefined)?.values
        .ball_camera ?? true;
    assert.deepEqual(recorded, isOn ? on : off, "as recorded");
    check();
    await page.close();
    server.stop();
  },

  async "what decided the game is told in rows that play it"(browser) {
    const [row] = await ofFormat(join(root, "samples"), "rocket-league");
    const server = await serve(join(root, "samples", row.file));
    const { page, check } = await open(browser, server.address, { width: 900, height: 560 });
    await openRecording(page, row.file);
    await seek(page, 0);
    const goals = await read(page, (viewer) => viewer.recording.events.filter(({ kind }) => kind === "goal"));
    assert(goals.length > 0, "the sample has no goal");
    const rows = page.locator(".decisive button");
    assert.equal(await rows.count(), goals.length);
    await rows.first().click();
    const time_s = await read(page, ({ player }) => player.time_s);
    assert(time_s < goals[0].time_s && time_s >= goals[0].time_s - 7, `the clip begins at ${time_s} s`);
    assert.equal(await read(page, (viewer) => viewer.player.isPlaying), true);
    check();
    await page.close();
    server.stop();
  },

  async "a six-player replay plays within a second and renders with little script"(browser) {
    const folder = join(corpus, "rocket-league");
    if (!existsSync(folder)) return console.log("    skipped: there is no corpus");
    const rows = await ofFormat(folder, "rocket-league");
    const six = rows.find(({ summary }) => summary.players.length === 6 && summary.duration_s > 300);
    assert(six, "no six-player replay in the corpus");
    const server = await serve(join(folder, six.file));
    const { page, check } = await open(browser, server.address, { width: 640, height: 400 });
    await page.getByRole("link", { name: six.file, exact: true }).waitFor();
    const start = performance.now();
    await page.getByRole("link", { name: six.file, exact: true }).click();
    await page.waitForFunction(
      () => window.postgame.viewer?.player.time_s > window.postgame.viewer?.recording.start_s,
      undefined,
      { polling: 20 },
    );
    const opened_ms = performance.now() - start;
    await page.waitForFunction(
      () => window.postgame.viewer.recording.loaded === window.postgame.viewer.recording.pieceCount,
      undefined,
      { timeout: 60_000 },
    );
    console.log(`    ${(six.summary.duration_s / 60).toFixed(1)} min: playing after ${opened_ms.toFixed(0)} ms`);
    await assertLight(page, "six players", () => drawn(page));
    await comparePositions(page, server.address, [60.5, 100.1, 200.25], 1);
    await page.setViewportSize({ width: 1280, height: 760 });
    await page.evaluate(() => window.postgame.viewer.stage.invalidate());
    await seek(page, 61);
    await picture(page, "corpus-rocket-league");
    // A release build on a quiet machine is held to the second; elsewhere this only finds what hangs.
    assert(opened_ms < (process.env.POSTGAME_RELEASE ? 1000 : 30_000), `${opened_ms} ms`);
    check();
    await page.close();
    server.stop();
  },
};
