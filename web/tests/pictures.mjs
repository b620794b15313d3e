// Pictures for a person to look at: each game at three sizes. `node tests/pictures.mjs [game] [width]`.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { launch, open, openRecording, root, screens, seek, serve } from "./harness.mjs";
import { corpus } from "./tour.mjs";

const SIZES = [
  [390, 844],
  [1440, 900],
  [2560, 1440],
];
/** What is looked at: a file of the corpus, else a sample, and when. */
const GAMES = {
  "rocket-league": ["rocket-league/42f2.replay", "samples/duel.replay", 0.31],
  slippi: ["slippi/FodPlatforms.slp", "samples/duel.slp", 0.4],
  satisfactory: ["satisfactory/Release-032.sav", "samples/factory.sav", 0],
  rumble: ["rumble/map0-2p.replay", "samples/bout-archive.replay", 0.3],
};

const browser = await launch();
for (const [game, [real, sample, part]] of Object.entries(GAMES)) {
  if (!game.includes(process.argv[2] ?? "")) continue;
  const file = process.env.POSTGAME_FILE ?? (existsSync(join(corpus, real)) ? join(corpus, real) : join(root, sample));
  const server = await serve(file);
  for (const [width, height] of SIZES) {
    if (!String(width).includes(process.argv[3] ?? "")) continue;
    const { page } = await open(browser, server.address, {
      width,
      height,
      theme: process.env.POSTGAME_THEME ?? "dark",
    });
    await openRecording(page, file.split("/").at(-1));
    const [start_s, end_s] = await page.evaluate(() => [
      window.postgame.viewer.recording.start_s,
      window.postgame.viewer.recording.end_s,
    ]);
    if (end_s > start_s) await seek(page, start_s + (end_s - start_s) * Number(process.env.POSTGAME_PART ?? part));
    await page.waitForTimeout(1200);
    if (process.env.POSTGAME_TAB) await page.getByRole("tab", { name: process.env.POSTGAME_TAB }).click();
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(screens, `${game}-${width}x${height}.png`) });
    await page.close();
  }
  server.stop();
}
await browser.close();
process.exit(0);
