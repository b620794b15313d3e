// The frame that all games share: addresses, sheets, keys, what is told when the server or the recording is not whole.

import assert from "node:assert/strict";
import { join } from "node:path";
import { open, openRecording, ready, root, seek, serve } from "./harness.mjs";
import { read } from "./tour.mjs";

const two = [join(root, "samples/bout.replay"), join(root, "samples/bout-archive.replay")];

export const tests = {
  async "another address opens another recording, also while nothing plays"(browser) {
    const server = await serve(...two);
    const { page, check } = await open(browser, server.address);
    await openRecording(page, "bout.replay");
    await seek(page, 3);
    // Long enough for the address to follow the playhead.
    await page.waitForFunction(() => location.hash.includes("t=3.000"));
    const first = await read(page, (viewer) => viewer.row.file);
    const { rows } = await (await fetch(`${server.address}api/recordings`)).json();
    const other = rows.find(({ file }) => file !== first);
    for (const key of [String(other.id), `${encodeURIComponent(other.file)}~${other.bytes}`]) {
      await page.evaluate((key) => {
        location.hash = `#/r/${key}`;
      }, key);
      await page.waitForFunction((file) => window.postgame.viewer?.row.file === file, other.file);
      await ready(page);
      await page.waitForTimeout(1500);
      assert.equal(await read(page, (viewer) => viewer.row.file), other.file, "it stays open");
      await page.goBack();
      await page.waitForFunction((file) => window.postgame.viewer?.row.file === file, first);
      await ready(page);
    }
    assert.match(await page.evaluate(() => location.hash), /bout\.replay~\d+/, "a link goes by the file");
    assert.match(await page.title(), /Ada/);
    check();
    await page.close();
    server.stop();
  },

  async "Escape closes the help and nothing else; Space plays after a camera was chosen; sliders keep their arrows"(
    browser,
  ) {
    const server = await serve(two[1]);
    const { page, check } = await open(browser, server.address);
    await openRecording(page, "bout-archive.replay");
    await seek(page, 5);
    for (const openHelp of [
      () => page.keyboard.press("?"),
      () => page.getByRole("button", { name: "Keyboard shortcuts" }).click(),
    ]) {
      await openHelp();
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      assert(await page.evaluate(() => window.postgame.viewer !== undefined), "the recording is still open");
    }
    await page.getByLabel("Camera", { exact: true }).selectOption("free");
    await page.keyboard.press(" ");
    assert.equal(await read(page, (viewer) => viewer.player.isPlaying), true);
    await seek(page, 5);
    await page.getByLabel("Position in the recording").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await read(page, (viewer) => viewer.player.time_s), 6, "the slider's own step");
    await page.getByRole("tab", { name: "Overview" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.getByRole("tab", { selected: true }).textContent(), "Events");
    await page.keyboard.press("Home");
    assert.equal(await page.getByRole("tab", { selected: true }).textContent(), "Overview");
    assert.equal(await read(page, (viewer) => viewer.player.time_s), 6, "tabs keep their arrows");
    check();
    await page.close();
    server.stop();
  },

  async "a server that is gone is told in words"(browser) {
    const server = await serve(...two);
    const { page } = await open(browser, server.address);
    await openRecording(page, "bout.replay");
    server.stop();
    await page
      .getByText(/The server does not answer/)
      .first()
      .waitFor();
    await page.close();
  },

  async "the timeline is quiet: only what matters is a stop"(browser) {
    const server = await serve(two[1]);
    const { page, check } = await open(browser, server.address);
    await openRecording(page, "bout-archive.replay");
    await seek(page, 0);
    const kinds = await read(page, (viewer) => [...viewer.kinds.value]);
    assert.deepEqual(kinds, ["damage"]);
    await page.keyboard.press("n");
    const at_s = await read(page, (viewer) => viewer.player.time_s);
    const first_s = await read(page, (viewer) => viewer.recording.events.find(({ kind }) => kind === "damage").time_s);
    assert.equal(at_s, first_s);
    check();
    await page.close();
    server.stop();
  },
};
