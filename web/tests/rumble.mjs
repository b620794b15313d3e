// RUMBLE in the page.

import assert from "node:assert/strict";
import { assertLight, comparePositions, drawn, open, openRecording, seek, serve } from "./harness.mjs";
import { read } from "./tour.mjs";

export const tests = {
  async "a bout plays, scrubs, steps and holds what the library says"(browser) {
    const server = await serve("samples");
    const { page, check } = await open(browser, server.address);
    for (const file of ["bout.replay", "bout-archive.replay"]) {
      await openRecording(page, file);
      const start_s = await read(page, (viewer) => viewer.player.time_s);
      await page.waitForFunction((start_s) => window.postgame.viewer.player.time_s > start_s + 0.3, start_s);
      await page.getByRole("button", { name: "Pause" }).click();
      assert.equal(await read(page, (viewer) => viewer.player.isPlaying), false);
      await comparePositions(page, server.address, [0.5, 2.47, 6, 13.333, 19.99], 8);
      await page.getByLabel("Position in the recording").fill("7.5");
      assert.equal(await read(page, (viewer) => viewer.player.time_s), 7.5);
      await page.getByRole("button", { name: "Next frame" }).click();
      const stepped = await read(page, (viewer) => viewer.player.time_s);
      assert(stepped > 7.5 && stepped < 7.6, `a frame after 7.5 s is ${stepped}`);
      await page.keyboard.press(",");
      await page.keyboard.press(",");
      assert((await read(page, (viewer) => viewer.player.time_s)) < 7.5);
      await page.getByLabel("Speed").selectOption("4");
      assert.equal(await read(page, (viewer) => viewer.player.speed), 4);
      await page.getByRole("button", { name: "Next event" }).click();
      const event = await read(page, (viewer) =>
        viewer.recording.events.some(({ time_s }) => time_s === viewer.player.time_s),
      );
      assert(event, "the next event is where it jumped to");
      await page.keyboard.press("r");
      assert.equal(await read(page, (viewer) => viewer.player.isLooping), true);
      await page.getByRole("link", { name: "All recordings" }).click();
    }
    check();
    await page.close();
    server.stop();
  },

  async "broken structures vanish, and health is told"(browser) {
    const server = await serve("samples/bout-archive.replay");
    const { page, check } = await open(browser, server.address, { width: 900, height: 560 });
    await openRecording(page, "bout-archive.replay");
    const broken = await read(page, (viewer) =>
      viewer.recording.events.find(({ kind, whom, who }) => /break|broken|vanish/.test(kind) && (whom ?? who) !== null),
    );
    assert(broken, "nothing breaks in the sample");
    const structure = broken.whom ?? broken.who;
    const isShown = async (time_s) => {
      await seek(page, time_s);
      return read(
        page,
        `(viewer) => viewer.game.actors.find(({ entity }) => entity.id === ${structure}).object.visible`,
      );
    };
    assert.equal(await isShown(broken.time_s - 0.1), true);
    assert.equal(await isShown(broken.time_s + 0.1), false);
    const { entities } = await (
      await fetch(
        `${server.address}api/recordings/0/moment?time_s=${await read(page, (viewer) => viewer.player.time_s)}`,
      )
    ).json();
    const health = entities.filter(({ kind }) => kind === "player").map(({ values }) => String(values.health));
    assert.deepEqual(await page.locator(".gauge .value").allTextContents(), health);
    check();
    await page.close();
    server.stop();
  },

  async "a frame takes little script time"(browser) {
    const server = await serve("samples/bout-archive.replay");
    const { page, check } = await open(browser, server.address, { width: 640, height: 400 });
    await openRecording(page, "bout-archive.replay");
    await assertLight(page, "RUMBLE", () => drawn(page));
    check();
    await page.close();
    server.stop();
  },
};
