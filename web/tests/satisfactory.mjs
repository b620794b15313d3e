// Satisfactory in the page: the sample, saves of one session, and a save of 40,000 buildings.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertLight, drawn, longest, open, openRecording, picture, ready, root, serve } from "./harness.mjs";
import { corpus, done, read, samples, tour } from "./tour.mjs";

export const tests = {
  async "Satisfactory: the sample"(browser) {
    const [file] = samples(".sav");
    if (!file) return console.log("    there is no Satisfactory sample yet");
    const tourist = await tour(browser, file, "satisfactory", {
      atLeast: 3,
      cameras: [1],
      name: "satisfactory-sample",
    });
    await filterFactory(tourist.page);
    await clickFactory(tourist.page);
    await factoryPages(tourist.page);
    await done(tourist);
  },

  async "Satisfactory: saves of one session on a slider, marks, the explored land, totals"(browser) {
    const folder = mkdtempSync(join(tmpdir(), "postgame-"));
    const saves = [1, 2].map((number) => join(corpus, `satisfactory/FreshStart00${number}.sav`));
    // Without a corpus: twice the sample.
    const isReal = saves.every((save) => existsSync(save));
    for (const [index, name] of ["one.sav", "two.sav"].entries())
      writeFileSync(join(folder, name), readFileSync(isReal ? saves[index] : samples(".sav")[0]));
    const server = await serve(folder);
    const { page, check } = await open(browser, server.address);
    await openRecording(page, "one.sav");
    const first = await read(page, (viewer) => viewer.recording.id);
    const slider = page.getByLabel("Save of this session");
    await slider.waitFor();
    await slider.fill((await slider.inputValue()) === "0" ? "1" : "0");
    await page.waitForFunction(
      (first) => window.postgame.viewer && window.postgame.viewer.recording.id !== first,
      first,
    );
    await ready(page);
    await page.getByRole("tab", { name: "Overview" }).click();
    assert((await page.locator(".totals .total").count()) >= 4, "totals as bars");
    if (isReal) {
      await page.waitForFunction(() => window.postgame.viewer.game.land !== undefined);
      const marks = await read(page, ({ game: { boxes, state } }) => ({
        collectables: boxes.classes
          .filter(({ category }) => category === "collectable")
          .reduce((sum, { count }) => sum + count, 0),
        dots: boxes.object.children.find(({ name }) => name === "marks")?.geometry.drawRange.count,
        nodes: state.nodes.value.resources.reduce((sum, { count }) => sum + count, 0),
        points: state.nodes.value.object.children.reduce(
          (sum, { geometry }) => sum + geometry.attributes.position.count,
          0,
        ),
        hidden: state.nodes.value.resources.reduce((sum, { isShown, count }) => sum + (isShown ? 0 : count), 0),
      }));
      assert(marks.collectables > 0 && marks.nodes > 0, `marks: ${JSON.stringify(marks)}`);
      assert.equal(marks.dots, marks.collectables, "a dot on each collectable");
      assert.equal(marks.points + marks.hidden, marks.nodes, "a dot on each node that is shown");
      await page.getByLabel("Camera", { exact: true }).selectOption("map");
      await page.evaluate(() => window.postgame.viewer.stage.setView([500, 6500, 0.01], [500, 0, 0]));
      await page.waitForTimeout(1000);
      await picture(page, "satisfactory-map");
    }
    check();
    await page.close();
    server.stop();
  },

  async "a save of 40,000 buildings renders with little script"(browser) {
    const folder = mkdtempSync(join(tmpdir(), "postgame-"));
    // POSTGAME_LARGE names a save that has been made before: making one takes a build.
    const file = process.env.POSTGAME_LARGE ?? join(folder, "large.sav");
    if (!process.env.POSTGAME_LARGE) {
      execFileSync(
        process.env.CARGO ?? "cargo",
        ["xtask", "blowup", "samples/factory.sav", file, "--size", "55000000"],
        { cwd: root, stdio: "pipe" },
      );
    }
    const server = await serve("--max-memory", "1GB", file);
    const { page, check } = await open(browser, server.address, { width: 480, height: 320, draws: false });
    await openRecording(page, file.split("/").at(-1));
    const count = await read(page, (viewer) => viewer.game.shown().length);
    assert(count >= 40_000, `the save has only ${count} things`);
    // Turned all the time, so that every frame draws.
    await page.evaluate(() => {
      const { stage } = window.postgame.viewer;
      window.turning = setInterval(() => {
        stage.camera.position.x += 0.5;
        stage.controls.update();
        stage.invalidate();
      }, 1);
    });
    await assertLight(page, `${count} things`, () => drawn(page));
    await page.evaluate(() => clearInterval(window.turning));
    await filterFactory(page);
    check();
    await page.close();
    server.stop();
  },
};

/** The longest a person may wait for the page while something is opened, panned or zoomed, in milliseconds of script. */
const MAX_STALL_MS = 100;
const SETTLES_MS = 2000;

if (process.env.POSTGAME_HUGE) {
  // Made by `cargo xtask blowup samples/factory.sav FILE --size 395000000`: 600,000 objects, half of them with a place.
  tests["600,000 objects open, pan and zoom without a stall"] = async (browser) => {
    const file = process.env.POSTGAME_HUGE;
    const server = await serve("--max-memory", "4GB", file);
    const { page, check } = await open(browser, server.address, { width: 640, height: 480, draws: false });
    page.setDefaultTimeout(300_000);
    await page.getByRole("link", { name: file.split("/").at(-1), exact: true }).waitFor();
    const start = performance.now();
    const opening = await longest(page, async () => {
      await page.getByRole("link", { name: file.split("/").at(-1), exact: true }).click();
      await page.waitForFunction(() => window.postgame.viewer?.game.land !== undefined, undefined, {
        timeout: 300_000,
      });
      // Nothing moves: what is still to be done is done soon.
      await page.waitForTimeout(SETTLES_MS);
    });
    const opened_ms = performance.now() - start - SETTLES_MS;
    const count = await read(page, (viewer) => viewer.recording.entities.count);
    const moving = await longest(page, async () => {
      await page.mouse.move(320, 240);
      await page.mouse.down();
      for (let step = 0; step < 20; step++) await page.mouse.move(320 + step * 6, 240 + step * 3);
      await page.mouse.up();
      for (let step = 0; step < 10; step++) await page.mouse.wheel(0, step < 5 ? -240 : 240);
      await page.waitForTimeout(SETTLES_MS);
    });
    console.log(
      `    ${count} entities: open after ${(opened_ms / 1000).toFixed(1)} s; longest script while opening ${opening.toFixed(0)} ms, while moving ${moving.toFixed(0)} ms`,
    );
    assert(count >= 300_000, `only ${count} entities`);
    assert(Math.max(opening, moving) <= MAX_STALL_MS, "the page stood still");
    check();
    await page.close();
    server.stop();
  };
}

/** Production, power, storage and progress say what the library's statistics say; a stored item leads to its place. */
async function factoryPages(page) {
  const groups = await read(page, (viewer) => viewer.recording.outline.stats.recording);
  const running = groups.machine_activity.running;
  await page.getByRole("tab", { name: "Production" }).click();
  const told = page.locator(".production .legend li", { hasText: "Running" });
  assert.equal(Number((await told.locator("b").textContent()).replace(",", "")), running);
  const items = Object.keys(groups.production).filter((key) => key.endsWith(", made_per_min")).length;
  assert.equal(await page.locator(".production .rates tbody tr").count(), items);
  await page.getByRole("tab", { name: "Power" }).click();
  assert.equal(await page.locator(".circuit").count(), groups.power.circuits);
  await page.getByRole("tab", { name: "Storage" }).click();
  const [name, amount] = Object.entries(groups.items_in_storage)[0];
  await page.getByLabel("Search items").fill(name);
  const item = page.locator(".stored", { hasText: name }).first();
  await item.waitFor();
  assert.equal(Number((await item.locator("summary b").textContent()).replace(/[^0-9.]/g, "")), Math.round(amount));
  await item.locator(".storage-row").first().click();
  await page.getByRole("tab", { name: "Map", exact: true }).click();
  await page.locator(".details tr", { hasText: name }).first().waitFor();
  await page.getByRole("tab", { name: "Progress" }).click();
  assert((await page.locator(".progress .meter").count()) > 0, "no progress");
  // Up to a height: what is above is neither drawn nor met by a click.
  await page.getByRole("tab", { name: "Map", exact: true }).click();
  const height = page.getByLabel("Show only what is lower than");
  if ((await height.count()) === 0) return;
  await height.fill(await height.getAttribute("min"));
  assert(Number.isFinite(await read(page, (viewer) => viewer.game.state.top_m.value)));
}

/** A click on a building tells what it is; a click beside everything tells nothing. */
async function clickFactory(page) {
  const places = await read(page, (viewer) => {
    const { boxes } = viewer.game;
    return boxes.classes
      .filter(({ kind }) => kind === "building")
      .map(({ name, start }) => [name, viewer.game.positions()[boxes.ids[start]]]);
  });
  let told = 0;
  for (const [, position] of places.slice(0, 6)) {
    const [x, y] = await page.evaluate((position) => {
      const { stage } = window.postgame.viewer;
      const [px, py, pz] = position;
      stage.setView([px + 14, py + 16, pz + 14], position);
      const box = stage.canvas.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    }, position);
    const frames = await read(page, (viewer) => viewer.frames);
    await page.waitForFunction((frames) => window.postgame.viewer.frames > frames + 2, frames);
    await page.mouse.click(x, y);
    await page.waitForTimeout(300);
    told += (await page.locator(".factory .details tr").count()) > 2 ? 1 : 0;
  }
  assert(told > 0, "a click told nothing");
  await picture(page, "satisfactory-details");
}

async function filterFactory(page) {
  await page.getByRole("tab", { name: "Map", exact: true }).click();
  const before = await read(page, (viewer) => Object.keys(viewer.game.positions()).length);
  await page.locator(".factory .category").first().getByRole("checkbox").first().uncheck();
  const after = await read(page, (viewer) => Object.keys(viewer.game.positions()).length);
  assert(after < before, "a hidden category is not in the scene");
  await page.getByRole("button", { name: "Show all classes" }).click();
  await page.getByLabel("Search classes").fill("no such class");
  assert.equal(await page.locator(".factory .class").count(), 0);
  await page.getByLabel("Search classes").fill("");
}
