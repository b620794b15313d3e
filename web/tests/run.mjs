// End-to-end tests in a real browser: `node tests/run.mjs [part of a name]`.

import { launch } from "./harness.mjs";

const parts = [
  "page",
  "rumble",
  "rocket-league",
  "slippi",
  "satisfactory",
  "gltf",
  "frame",
  "access",
  "moments",
  "corpus",
];
const wanted = process.argv[2] ?? "";
const browser = await launch();
let failed = 0;
let ran = 0;
for (const part of parts) {
  const { tests } = await import(`./${part}.mjs`);
  for (const [name, test] of Object.entries(tests)) {
    if (!`${part}: ${name}`.includes(wanted)) continue;
    ran++;
    const start = performance.now();
    try {
      await test(browser);
      console.log(`ok   ${part}: ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed++;
      console.log(`FAIL ${part}: ${name}\n${error.stack}`);
    }
  }
}
await browser.close();
console.log(`${ran} tests, ${failed} failed`);
process.exit(failed > 0 || ran === 0 ? 1 : 0);
