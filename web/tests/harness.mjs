// A server on some files, a browser on the server, and what must hold on every page: no console error, no request to
// another host.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const screens = join(root, "out/screens");
export const program = process.env.POSTGAME ?? join(root, "target/debug/postgame");
mkdirSync(screens, { recursive: true });

const browsers = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A browser with WebGL in software. */
export async function launch() {
  const executablePath = browsers.find((path) => path && existsSync(path));
  assert(executablePath, "no Chromium: install the package `chromium`, or name one in CHROMIUM");
  return chromium.launch({
    executablePath,
    args: [
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--no-sandbox",
      "--enable-precise-memory-info",
      "--js-flags=--expose-gc",
    ],
  });
}

const children = new Set();
const stopAll = () => children.forEach((child) => child.kill());
process.on("exit", stopAll);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** `postgame view` on some paths; resolves to its address once it answers. */
export async function serve(...paths) {
  const child = spawn(program, ["view", "--no-open", ...paths], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  children.add(child);
  const address = await new Promise((found, failed) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) found(text.trim());
    });
    child.on("exit", (code) => failed(new Error(`postgame view ended with ${code}`)));
  });
  return { address, stop: () => child.kill() };
}

/** A page that fails the test on anything it should not do. */
export async function open(browser, address, { width = 1280, height = 760, theme = "dark", draws = true } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme });
  // Tens of thousands of boxes take the software renderer a minute: where only scripts are measured, the last step of
  // drawing is left out.
  if (!draws) await page.addInitScript(() => (WebGL2RenderingContext.prototype.drawElementsInstanced = () => {}));
  page.setDefaultTimeout(60_000);
  const wrong = [];
  // Said at once: what waits for a page that has failed would only say that it waited.
  const complain = (text) => {
    wrong.push(text);
    console.log(`    the page: ${text}`);
  };
  page.on("console", (message) => {
    // The software renderer warns about reading pictures back; that is the screenshot's doing.
    if (message.type() === "error" || (message.type() === "warning" && !message.text().includes("GPU stall")))
      complain(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complain(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    complain(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (new URL(url).origin !== new URL(address).origin && !url.startsWith("blob:") && !url.startsWith("data:"))
      complain(`request to ${url}`);
  });
  if (process.env.POSTGAME_PAGE) await freshPage(page, address);
  await page.goto(address);
  return { page, check: () => assert.deepEqual(wrong, [], "the page did something it should not") };
}

/** While the page is being worked on: its files from web/dist instead of those built into the program. */
async function freshPage(page, address) {
  const files = {
    "": ["index.html", "text/html"],
    "app.js": ["app.js", "text/javascript"],
    "app.css": ["app.css", "text/css"],
  };
  for (const [path, [file, contentType]] of Object.entries(files)) {
    await page.route(`${address}${path}`, async (route) => {
      const { headers } = await fetch(address);
      const policy = headers.get("content-security-policy");
      await route.fulfill({
        path: join(root, "web/dist", file),
        contentType,
        headers: { "content-security-policy": policy },
      });
    });
  }
}

/** Opens a recording by its file's name, and waits until its scene is there. */
export async function openRecording(page, file) {
  await page.getByRole("link", { name: file, exact: true }).click();
  await ready(page);
}

export async function ready(page) {
  await page.waitForFunction(
    () =>
      window.postgame.viewer?.recording.isLoaded(window.postgame.viewer.player.time_s) &&
      window.postgame.viewer.frames > 1,
  );
}

/** Goes to a time and waits until the scene shows it. */
export async function seek(page, time_s) {
  await page.evaluate((time_s) => {
    const { player } = window.postgame.viewer;
    player.pause();
    player.seek(time_s);
  }, time_s);
  await page.waitForFunction(() => window.postgame.viewer.recording.isLoaded(window.postgame.viewer.player.time_s));
  const frames = await page.evaluate(() => window.postgame.viewer.frames);
  await page.waitForFunction((frames) => window.postgame.viewer.frames > frames + 1, frames);
}

/** What the scene holds at a time is what the library says: every entity it shows, and none that is absent. */
export async function comparePositions(page, address, times_s, atLeast) {
  for (const time_s of times_s) {
    await seek(page, time_s);
    const scene = await page.evaluate(() => ({
      id: window.postgame.viewer.recording.id,
      time_s: window.postgame.viewer.player.time_s,
      positions: window.postgame.viewer.game.positions(),
      shown: window.postgame.viewer.game.shown(),
    }));
    const answer = await fetch(`${address}api/recordings/${scene.id}/moment?time_s=${scene.time_s}`);
    assert.equal(answer.status, 200);
    const { entities } = await answer.json();
    // What is not active is broken, or waits to be used: it is not in the scene.
    const expected = new Map(
      entities
        .filter(({ values }) => values.position && values.active !== false)
        .map(({ id, values }) => [id, values.position]),
    );
    let compared = 0;
    for (const id of scene.shown) {
      const [is, should] = [scene.positions[id], expected.get(id)];
      assert.equal(
        is === undefined,
        should === undefined,
        `entity ${id} at ${time_s} s: scene ${is}, library ${should}`,
      );
      if (!is) continue;
      for (let axis = 0; axis < 3; axis++) {
        assert(
          Math.abs(is[axis] - should[axis]) <= 1e-4 * Math.max(1, Math.abs(should[axis])),
          `entity ${id} at ${time_s} s: scene ${is}, library ${should}`,
        );
      }
      compared++;
    }
    assert(compared >= atLeast, `only ${compared} positions were compared at ${time_s} s`);
  }
}

/** The README's pictures, and what they are called there. */
const README = {
  rumble: "viewer-rumble",
  "rocket-league-sample": "viewer-rocket-league",
  "slippi-sample": "viewer-slippi",
  "satisfactory-sample-camera-0": "viewer-satisfactory",
};

/** A picture for a person to look at; POSTGAME_PICTURES=1 renews the README's as well. */
export async function picture(page, name) {
  const path = join(screens, `${name}.png`);
  await page.screenshot({ path });
  if (process.env.POSTGAME_PICTURES && README[name]) copyFileSync(path, join(root, `docs/images/${README[name]}.png`));
}

/**
 * Milliseconds of script in each frame while something runs, by the browser's own profiler: the processor time of the
 * page's thread inside animation frames. Waiting for the software renderer, or for a processor, is no script.
 */
export async function scriptTime(page, run) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  await run();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  // Of all pages that are open, the one whose frames took most is ours.
  const threads = new Map();
  for (const { name, ph, tid, pid, tdur, dur } of traceEvents) {
    if (name !== "FireAnimationFrame" || ph !== "X") continue;
    const key = `${pid}/${tid}`;
    threads.set(key, [...(threads.get(key) ?? []), [(tdur ?? dur) / 1000, dur / 1000]]);
  }
  const sum = (frames) => frames.reduce((total, [ms]) => total + ms, 0);
  const frames = [...threads.values()].sort((a, b) => sum(b) - sum(a))[0] ?? [];
  assert(
    traceEvents.some(({ tdur }) => tdur !== undefined),
    "the profiler does not tell processor time",
  );
  const sorted = (index) => frames.map((frame) => frame[index]).sort((a, b) => a - b);
  const part = (values, share) => values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;
  const [ms, wall] = [sorted(0), sorted(1)];
  return { frames: frames.length, median_ms: part(ms, 0.5), p95_ms: part(ms, 0.95), wall_ms: part(wall, 0.5) };
}

/** The longest stretch of script while something runs, in milliseconds of processor time of the page's thread. */
export async function longest(page, run) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  await run();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const script = new Set(["FunctionCall", "EvaluateScript", "FireAnimationFrame", "RunMicrotasks", "TimerFire"]);
  const times = traceEvents.filter(({ name, ph }) => ph === "X" && script.has(name));
  return times.reduce((most, { tdur, dur }) => Math.max(most, (tdur ?? dur) / 1000), 0);
}

/** The page's memory in MB after a collection: the heap, what the browser holds for it, and all typed arrays. */
export async function memory(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return (usedSize + embedderHeapUsedSize + backingStorageSize) / 1e6;
}

/** The goal: as much script as a frame may take, and as much memory as a page. */
const MOST_SCRIPT_MS = 4;
const MOST_MEMORY_MB = 300;

/** Waits until so many frames are drawn, which takes a busy machine longer, but at most three minutes. */
export async function drawn(page, frames = 30) {
  const start = await page.evaluate(() => window.postgame.viewer.stage.renderer.info.render.frame);
  await page.waitForFunction(
    (until) => window.postgame.viewer.stage.renderer.info.render.frame >= until,
    start + frames,
    { polling: 50, timeout: 180_000 },
  );
}

/** Measures frames while something runs, says so, and holds both to the goal. */
export async function assertLight(page, what, run, atLeast = 20) {
  const { frames, median_ms, p95_ms, wall_ms } = await scriptTime(page, run);
  const memory_mb = await memory(page);
  console.log(
    `    ${what}: ${median_ms.toFixed(2)} ms of script a frame (95 %: ${p95_ms.toFixed(2)} ms; with waiting ${wall_ms.toFixed(1)} ms) over ${frames} frames; ${memory_mb.toFixed(0)} MB`,
  );
  assert(frames >= atLeast, `only ${frames} frames`);
  assert(median_ms <= MOST_SCRIPT_MS, `${median_ms} ms of script a frame`);
  assert(memory_mb < MOST_MEMORY_MB, `${memory_mb} MB`);
}
