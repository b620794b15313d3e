// What the tests of all games share: which files there are, and a tour through one of them.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { comparePositions, open, openRecording, picture, root, seek, serve } from "./harness.mjs";

export const corpus = process.env.POSTGAME_CORPUS ?? join(root, "../shared/corpus");
/** Something of the viewer in the page. */
export const read = (page, what) => page.evaluate(`((viewer) => (${what})(viewer))(window.postgame.viewer)`);

/** The files of one format among some paths, by what the server says of them; largest first. */
export async function ofFormat(folder, format, most = 400) {
  // While a game is not read yet, its folder holds nothing.
  const server = await serve(folder, join(root, "samples/bout.replay"));
  let list;
  do list = await (await fetch(`${server.address}api/recordings`)).json();
  while (list.read < list.total);
  server.stop();
  return list.rows
    .filter((row) => row.format === format)
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, most);
}

export async function tour(browser, file, format, { atLeast, cameras, name, pictured = 0.4 }) {
  const server = await serve(file);
  const { page, check } = await open(browser, server.address);
  await openRecording(page, file.split("/").at(-1));
  assert.equal(await read(page, (viewer) => viewer.recording.outline.format), format);
  const [start_s, end_s] = await read(page, (viewer) => [viewer.recording.start_s, viewer.recording.end_s]);
  const at = (part) => start_s + (end_s - start_s) * part;
  if (end_s > start_s) {
    await page.waitForFunction((start_s) => window.postgame.viewer.player.time_s > start_s + 0.2, start_s);
    await page.getByRole("button", { name: "Pause" }).click();
  }
  await comparePositions(page, server.address, end_s > start_s ? [0.1, 0.37, 0.62, 0.95].map(at) : [start_s], atLeast);
  await seek(page, at(pictured));
  await picture(page, name);
  for (const [label, index] of cameras.entries()) {
    await page.getByLabel("Camera", { exact: true }).selectOption({ index });
    await seek(page, at(0.45));
    await picture(page, `${name}-camera-${label}`);
  }
  await page.getByLabel("Camera", { exact: true }).selectOption({ index: 0 });
  if (end_s > start_s) {
    await page.getByRole("tab", { name: "Charts" }).click();
    await page.locator(".chart-box:visible canvas").first().waitFor();
    await picture(page, `${name}-charts`);
    await page.getByRole("tab", { name: "Map", exact: true }).click();
    await page.locator(".field canvas").waitFor();
    if ((await page.getByRole("tab", { name: "Events" }).count()) > 0) {
      await page.getByRole("tab", { name: "Events" }).click();
      const rows = page.locator(".events tbody tr");
      const all = await rows.count();
      assert(all > 0);
      await page.locator(".events .kinds input").first().uncheck();
      assert((await rows.count()) < all, "a kind that is hidden is not in the table");
    }
  }
  return { server, page, check };
}

export async function done({ server, page, check }) {
  check();
  await page.close();
  server.stop();
}

/** The samples whose names end so. */
export const samples = (ending) =>
  readdirSync(join(root, "samples"))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(root, "samples", name));

/**
 * The files a test over the whole corpus looks at: one in `step`, spread over all of them, so that the tests end in time;
 * POSTGAME_ALL=1 takes every file, POSTGAME_FILES those with this part in their name.
 */
export function chosen(rows, step) {
  const named = process.env.POSTGAME_FILES;
  if (named) return rows.filter(({ file }) => file.includes(named));
  return process.env.POSTGAME_ALL ? rows : rows.filter((_, index) => index % step === 0);
}
