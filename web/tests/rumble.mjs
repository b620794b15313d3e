// RUMBLE in the page, and everything that all games share.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertLight, comparePositions, open, openRecording, picture, program, ready, root, seek, serve } from "./harness.mjs";

const viewer = (page, read) => page.evaluate(`((viewer) => (${read})(viewer))(window.postgame.viewer)`);

export const tests = {
  async "the list fills, sorts and filters"(browser) {
    const server = await serve("samples");
    const { page, check } = await open(browser, server.address);
    await page.getByText(/^\d+ recordings$/).waitFor();
    const count = await page.locator(".list tbody tr").count();
    assert(count >= 2);
    await page.getByLabel("Filter recordings").fill("bout-archive");
    assert.equal(await page.locator(".list tbody tr").count(), 1);
    await page.getByLabel("Filter recordings").fill("nothing like this");
    assert.equal(await page.locator(".list tbody tr").count(), 0);
    await page.getByLabel("Filter recordings").fill("");
    const files = () => page.locator(".list tbody tr td:nth-child(2)").allTextContents();
    await page.getByRole("button", { name: "File" }).click();
    const up = await files();
    await page.getByRole("button", { name: "File" }).click();
    assert.deepEqual(await files(), [...up].reverse());
    assert.equal(new Set(up).size, count);
    await picture(page, "list");
    check();
    await page.close();
    server.stop();
  },

  async "a bout plays, scrubs, steps and holds what the library says"(browser) {
    const server = await serve("samples");
    const { page, check } = await open(browser, server.address);
    for (const file of ["bout.replay", "bout-archive.replay"]) {
      await openRecording(page, file);
      const start_s = await viewer(page, (viewer) => viewer.player.time_s);
      await page.waitForFunction((start_s) => window.postgame.viewer.player.time_s > start_s + 0.3, start_s);
      await page.getByRole("button", { name: "Pause" }).click();
      assert.equal(await viewer(page, (viewer) => viewer.player.isPlaying), false);
      await comparePositions(page, server.address, [0.5, 2.47, 6, 13.333, 19.99], 8);
      await page.getByLabel("Position in the recording").fill("7.5");
      assert.equal(await viewer(page, (viewer) => viewer.player.time_s), 7.5);
      await page.getByRole("button", { name: "Next frame" }).click();
      const stepped = await viewer(page, (viewer) => viewer.player.time_s);
      assert(stepped > 7.5 && stepped < 7.6, `a frame after 7.5 s is ${stepped}`);
      await page.keyboard.press(",");
      await page.keyboard.press(",");
      assert((await viewer(page, (viewer) => viewer.player.time_s)) < 7.5);
      await page.getByLabel("Speed").selectOption("4");
      assert.equal(await viewer(page, (viewer) => viewer.player.speed), 4);
      await page.getByRole("button", { name: "Next event" }).click();
      const event = await viewer(page, (viewer) => viewer.recording.events.some(({ time_s }) => time_s === viewer.player.time_s));
      assert(event, "the next event is where it jumped to");
      await page.keyboard.press("r");
      assert.equal(await viewer(page, (viewer) => viewer.player.isLooping), true);
      await page.getByRole("link", { name: "All recordings" }).click();
    }
    check();
    await page.close();
    server.stop();
  },

  async "cameras, panels, help, theme, link"(browser) {
    const server = await serve("samples/bout-archive.replay");
    const { page, check } = await open(browser, server.address);
    await openRecording(page, "bout-archive.replay");
    await seek(page, 4.95);
    await picture(page, "rumble");
    await page.getByLabel("Camera", { exact: true }).selectOption({ label: "Eyes of Ada" });
    await seek(page, 5);
    const eyes = await viewer(page, (viewer) => {
      const head = viewer.game.actors.find(({ entity }) => entity.name === "Ada head").object.position;
      return viewer.stage.camera.position.distanceTo(head);
    });
    assert(eyes < 1e-6, `the camera is ${eyes} m from the head`);
    await picture(page, "rumble-eyes");
    await page.getByRole("tab", { name: "Charts" }).click();
    await page.getByRole("img", { name: "health over time" }).waitFor();
    await page.getByRole("img", { name: "health over time" }).click({ position: { x: 100, y: 20 } });
    assert.notEqual(await viewer(page, (viewer) => viewer.player.time_s), 5, "a click into a chart jumps");
    await picture(page, "rumble-charts");
    await page.getByRole("tab", { name: "Heat map" }).click();
    await page.getByRole("img", { name: "Heat map of positions" }).waitFor();
    await picture(page, "rumble-heat");
    await page.getByRole("tab", { name: "Events" }).click();
    const rows = page.locator(".events tbody tr");
    const all = await rows.count();
    await page.getByRole("checkbox", { name: /^damage/ }).uncheck();
    const fewer = await rows.count();
    assert(fewer < all && fewer > 0);
    await page.getByLabel("Filter events").fill("Pillar 1");
    assert((await rows.count()) < fewer);
    await rows.nth(1).getByRole("button").click();
    assert.equal(await viewer(page, (viewer) => viewer.player.time_s), 2.5);
    await picture(page, "rumble-events");
    await page.keyboard.press("?");
    assert(await page.getByRole("dialog").isVisible());
    await picture(page, "help");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Dark or light" }).click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    await page.getByLabel("Camera", { exact: true }).selectOption("free");
    await seek(page, 9.25);
    await page.evaluate(() => window.postgame.viewer.stage.setView([4, 3, 2], [1, 1, 0]));
    const link = await viewer(page, (viewer) => viewer.link());
    const other = await open(browser, `${server.address}${link}`.replace("/#", "#"), { theme: "light" });
    await ready(other.page);
    const place = await viewer(other.page, (viewer) => [viewer.player.time_s, viewer.player.isPlaying, viewer.stage.view()]);
    assert.deepEqual(place, [9.25, false, [[4, 3, 2], [1, 1, 0]]]);
    await picture(other.page, "rumble-light");
    await page.getByRole("tab", { name: "Export" }).click();
    for (const [name, starts] of [["Picture", "\x89PNG"], ["This moment", "{"], ["Animation", "glTF"], ["Events", "["], ["Statistics", "{"]]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".exports").getByRole("button", { name }).click()]);
      const bytes = readFileSync(await download.path());
      assert.equal(bytes.toString("latin1", 0, starts.length), starts, name);
    }
    check();
    await page.close();
    await other.page.close();
    server.stop();
  },

  async "it fits a phone and a wide screen, and every control has a name"(browser) {
    const server = await serve("samples");
    for (const [name, width, height] of [["phone", 390, 800], ["wide", 2200, 1000]]) {
      const { page, check } = await open(browser, server.address, { width, height });
      await page.getByText(/^\d+ recordings$/).waitFor();
      if (name === "phone") await picture(page, "list-phone");
      await openRecording(page, "bout-archive.replay");
      await seek(page, 8.2);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert(overflow <= 0, `${name}: ${overflow} px wider than the screen`);
      const scene = await page.locator(".scene").boundingBox();
      assert(scene.width > width * 0.6 && scene.height > 250, `${name}: the scene is ${scene.width} by ${scene.height}`);
      const nameless = await page.evaluate(() =>
        [...document.querySelectorAll("button, input, select, canvas[role]")].filter((control) => {
          const text = control.getAttribute("aria-label") ?? control.closest("label")?.textContent ?? control.textContent;
          return !text?.trim();
        }).length,
      );
      assert.equal(nameless, 0, `${nameless} controls have no name`);
      await picture(page, `rumble-${name}`);
      check();
      await page.close();
    }
    server.stop();
  },

  async "names are text, never markup"(browser) {
    const evil = "<img src=x onerror=alert(1)>";
    const folder = mkdtempSync(join(tmpdir(), "postgame-"));
    const json = execFileSync(program, ["json", "samples/bout.replay"], { cwd: root, maxBuffer: 1 << 28 }).toString();
    const edited = json.replaceAll('"Ada"', JSON.stringify(evil));
    assert.notEqual(edited, json);
    writeFileSync(join(folder, "evil.json"), edited);
    const file = "<b>bold<b>.replay";
    execFileSync(program, ["build", join(folder, "evil.json"), "-o", join(folder, file)]);
    const server = await serve(join(folder, file), join(root, "samples/bout.replay"));
    const { page, check } = await open(browser, server.address);
    await page.getByText(/^\d+ recordings$/).waitFor();
    assert(await page.getByText(evil).isVisible());
    await openRecording(page, file);
    assert(await page.getByRole("heading", { name: evil }).isVisible());
    for (const tab of ["Events", "Charts", "Heat map", "Statistics"]) await page.getByRole("tab", { name: tab }).click();
    await page.waitForTimeout(200);
    assert.equal(await page.locator("img, b:has-text('bold')").count(), 0, "no element was made of a name");
    await picture(page, "names");
    check();
    await page.close();
    server.stop();
  },

  async "a frame takes little script time"(browser) {
    const server = await serve("samples/bout-archive.replay");
    const { page, check } = await open(browser, server.address, { width: 640, height: 400 });
    await openRecording(page, "bout-archive.replay");
    await assertLight(page, "RUMBLE", () => page.waitForTimeout(4000));
    check();
    await page.close();
    server.stop();
  },
};
