// What all games share in the page: list, player, panels, links, names, sizes of screens.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open, openRecording, picture, program, ready, root, seek, serve } from "./harness.mjs";
import { read } from "./tour.mjs";

export const tests = {
  async "the list fills, sorts and filters"(browser) {
    const server = await serve("samples");
    const { page, check } = await open(browser, server.address);
    await page.getByText(/^\d+ recordings$/).waitFor();
    const count = await page.locator(".list tbody tr:not(.head)").count();
    assert(count >= 2);
    await page.getByLabel("Filter recordings").fill("bout-archive");
    assert.equal(await page.locator(".list tbody tr:not(.head)").count(), 1);
    await page.getByLabel("Filter recordings").fill("nothing like this");
    assert.equal(await page.locator(".list tbody tr:not(.head)").count(), 0);
    await page.getByLabel("Filter recordings").fill("");
    const files = () => page.locator(".list tbody td.file").allTextContents();
    await page.getByRole("button", { name: "File", exact: true }).click();
    const up = await files();
    await page.getByRole("button", { name: "File", exact: true }).click();
    assert.deepEqual(await files(), [...up].reverse());
    assert.equal(new Set(up).size, count);
    await picture(page, "list");
    check();
    await page.close();
    server.stop();
  },

  async "the page needs the secret in its address, and a file that knows it leads there"(browser) {
    const server = await serve("samples/bout.replay");
    const { origin } = new URL(server.address);
    for (const path of ["", "index.html", "app.js", "api/recordings"]) {
      assert.equal((await fetch(`${origin}/${path}`)).status, 403, path);
      assert.equal((await fetch(`${server.address}${path}`)).status, 200, path);
    }
    // As `postgame view` opens the browser.
    const file = join(mkdtempSync(join(tmpdir(), "postgame-")), "view.html");
    writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${server.address}">`);
    const page = await browser.newPage();
    await page.goto(`file://${file}`);
    await page.getByText("1 recording", { exact: true }).waitFor();
    assert.equal(page.url().split("#")[0], server.address);
    await page.close();
    server.stop();
  },

  async "speeds, loop and every key"(browser) {
    const server = await serve("samples/bout-archive.replay");
    const { page, check } = await open(browser, server.address, { width: 900, height: 560 });
    await openRecording(page, "bout-archive.replay");
    const time = () => read(page, (viewer) => viewer.player.time_s);
    const key = async (name) => {
      await page.keyboard.press(name);
      return time();
    };
    const speeds = await page
      .getByLabel("Speed")
      .locator("option")
      .evaluateAll((options) => options.map(({ value }) => Number(value)));
    assert.equal(Math.min(...speeds), 0.1);
    assert.equal(Math.max(...speeds), 8);
    await seek(page, 10);
    assert.equal(await key("ArrowRight"), 15);
    assert.equal(await key("j"), 14);
    assert.equal(await key("l"), 15);
    assert.equal(await key("ArrowLeft"), 10);
    const [start_s, end_s] = await read(page, (viewer) => [viewer.recording.start_s, viewer.recording.end_s]);
    assert.equal(await key("Home"), start_s);
    assert.equal(await key("End"), end_s);
    assert(Math.abs((await key("3")) - (start_s + (end_s - start_s) * 0.3)) < 1e-9);
    await key("ArrowUp");
    assert.equal(await read(page, (viewer) => viewer.player.speed), 2);
    await key("ArrowDown");
    const events_s = await read(page, (viewer) => viewer.recording.events.map(({ time_s }) => time_s));
    const next_s = await key("n");
    assert(events_s.includes(next_s));
    assert((await key("p")) < next_s);
    const first = await read(page, (viewer) => viewer.stage.mode.id);
    await key("c");
    assert.notEqual(await read(page, (viewer) => viewer.stage.mode.id), first);
    await key("h");
    assert.equal(await read(page, (viewer) => viewer.stage.mode.id), "free");
    await key("b");
    assert.equal(await page.locator(".side").isVisible(), false);
    await key("b");
    // In a loop the end is followed by the start.
    await key("r");
    await page.getByLabel("Speed").selectOption("8");
    await seek(page, end_s - 0.5);
    await page.locator(".scene canvas").focus();
    await page.keyboard.press(" ");
    await page.waitForFunction((end_s) => window.postgame.viewer.player.time_s < end_s - 1, end_s);
    assert.equal(await read(page, (viewer) => viewer.player.isPlaying), true);
    await page.keyboard.press("k");
    assert.equal(await read(page, (viewer) => viewer.player.isPlaying), false);
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
    const eyes = await read(page, (viewer) => {
      const head = viewer.game.actors.find(({ entity }) => entity.name === "Ada head").object.position;
      return viewer.stage.camera.position.distanceTo(head);
    });
    assert(eyes < 1e-6, `the camera is ${eyes} m from the head`);
    await picture(page, "rumble-eyes");
    await page.getByRole("tab", { name: "Charts" }).click();
    const chart = page.locator('.chart-box[data-name="health"] .u-over');
    await chart.waitFor();
    await chart.click({ position: { x: 100, y: 20 } });
    assert.notEqual(await read(page, (viewer) => viewer.player.time_s), 5, "a click into a chart jumps");
    await picture(page, "rumble-charts");
    await page.getByRole("tab", { name: "Map", exact: true }).click();
    await page.getByRole("img", { name: "Heat map of positions" }).waitFor();
    await picture(page, "rumble-heat");
    await page.getByRole("tab", { name: "Events" }).click();
    // Only what matters is shown at first; all else can be switched on.
    await page.getByText("More kinds").click();
    for (const box of await page.locator(".events .kinds input").all()) await box.check();
    const rows = page.locator(".events tbody tr");
    const all = await rows.count();
    await page.getByRole("checkbox", { name: /^Damage/ }).uncheck();
    const fewer = await rows.count();
    assert(fewer < all && fewer > 0);
    await page.getByLabel("Filter events").fill("Pillar 1");
    assert((await rows.count()) < fewer);
    await rows.nth(1).getByRole("button").click();
    assert.equal(await read(page, (viewer) => viewer.player.time_s), 2.5);
    await picture(page, "rumble-events");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await picture(page, "help");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Light colours" }).click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    await page.getByLabel("Camera", { exact: true }).selectOption("free");
    await seek(page, 9.25);
    await page.evaluate(() => window.postgame.viewer.stage.setView([4, 3, 2], [1, 1, 0]));
    const link = await read(page, (viewer) => viewer.link());
    const other = await open(browser, `${server.address}${link}`.replace("/#", "#"), { theme: "light" });
    await ready(other.page);
    const place = await read(other.page, (viewer) => [
      viewer.player.time_s,
      viewer.player.isPlaying,
      viewer.stage.view(),
    ]);
    assert.deepEqual(place, [
      9.25,
      false,
      [
        [4, 3, 2],
        [1, 1, 0],
      ],
    ]);
    await picture(other.page, "rumble-light");
    await page.getByRole("tab", { name: "Export" }).click();
    for (const [name, starts] of [
      ["Picture", "\x89PNG"],
      ["This moment", "{"],
      ["Animation", "glTF"],
      ["Events", "time_s"],
      ["Events as JSON", "["],
      ["Statistics", "subject"],
      ["Statistics as JSON", "{"],
    ]) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(".exports").getByRole("button", { name, exact: true }).click(),
      ]);
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
    for (const [name, width, height] of [
      ["phone", 390, 800],
      ["wide", 2200, 1000],
    ]) {
      const { page, check } = await open(browser, server.address, { width, height });
      await page.getByText(/^\d+ recordings$/).waitFor();
      if (name === "phone") await picture(page, "list-phone");
      await openRecording(page, "bout-archive.replay");
      await seek(page, 8.2);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert(overflow <= 0, `${name}: ${overflow} px wider than the screen`);
      const scene = await page.locator(".scene").boundingBox();
      assert(
        scene.width > width * 0.6 && scene.height > 250,
        `${name}: the scene is ${scene.width} by ${scene.height}`,
      );
      const nameless = await page.evaluate(
        () =>
          [...document.querySelectorAll("button, input, select, canvas[role]")].filter((control) => {
            const text =
              control.getAttribute("aria-label") ?? control.closest("label")?.textContent ?? control.textContent;
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
    for (const tab of ["Events", "Charts", "Map", "Technical", "Overview"])
      await page.getByRole("tab", { name: tab, exact: true }).click();
    await page.waitForTimeout(200);
    assert.equal(await page.locator("img, b:has-text('bold')").count(), 0, "no element was made of a name");
    await picture(page, "names");
    check();
    await page.close();
    server.stop();
  },
};
