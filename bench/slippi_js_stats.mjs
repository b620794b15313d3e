// What slippi-js says of every replay in a folder, with whole lists, for the test `every_stock_conversion_and_combo`.
//
//   npm install @slippi/slippi-js@9.1.2
//   node slippi_js_stats.mjs ../../shared/corpus/slippi > slippi-js.json
//   POSTGAME_SLIPPI_JS=slippi-js.json cargo test -p postgame --test it slippi_stats
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { SlippiGame } from "@slippi/slippi-js/node";

const [folder] = process.argv.slice(2);
const all = {};
for (const name of readdirSync(folder).filter((name) => name.endsWith(".slp")).sort()) {
  try {
    all[name] = { stats: new SlippiGame(join(folder, name)).getStats() };
  } catch (error) {
    all[name] = { error: String(error) };
  }
}
process.stdout.write(JSON.stringify(all));
