// axe-core on the list and on a page of each game, dark and light: nothing serious.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { open, openRecording, ready, root, seek, serve } from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const SERIOUS = new Set(["serious", "critical"]);

/** Looks at a page, and returns what is serious. */
async function look(page, where) {
  // As a script of the browser's own: the page's policy allows no other.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (tags) => window.axe.run({ runOnly: { type: "tag", values: tags } }),
    TAGS,
  );
  const told = violations.map(
    ({ id, impact, nodes }) =>
      `${impact}: ${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html.slice(0, 140)} ${failureSummary.split("\n")[1] ?? ""}`)
        .join(" | ")}`,
  );
  const bad = told.filter((_, index) => SERIOUS.has(violations[index].impact));
  if (told.length > 0) console.log(`    ${where}: ${told.join("; ").slice(0, 300)}`);
  return bad.map((one) => `${where}: ${one}`);
}

const samples = ["bout-archive.replay", "duel.replay", "duel.slp", "factory.sav"];

export const tests = Object.fromEntries(
  ["dark", "light"].map((theme) => [
    `axe finds nothing serious, ${theme}`,
    async (browser) => {
      const server = await serve(join(root, "samples"));
      const { page, check } = await open(browser, server.address, { theme, width: 1440, height: 900 });
      await page.getByText(/^\d+ recordings$/).waitFor();
      assert.equal(await page.locator("h1").count(), 1);
      const bad = await look(page, `list, ${theme}`);
      for (const file of samples) {
        await openRecording(page, file);
        await ready(page);
        if (!file.endsWith(".sav")) await seek(page, 5);
        assert.equal(await page.locator("h1").count(), 1);
        for (const tab of await page.getByRole("tab").all()) {
          await tab.click();
          await page.waitForTimeout(150);
          bad.push(...(await look(page, `${file}, ${await tab.textContent()}, ${theme}`)));
        }
        await page.getByRole("link", { name: "All recordings" }).click();
      }
      assert.deepEqual(bad, []);
      check();
      await page.close();
      server.stop();
    },
  ]),
);
