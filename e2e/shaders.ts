// Every shader that can be asked for, compiled by Chromium's own compiler; pipelines of some.
//   cargo xtask shaders [--sample]
// The folder holds what engine/examples/shaders.rs left there. Exit status 1 if anything is refused.

import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launch } from "./harness/launch.ts";
import { serve } from "./harness/server.ts";

/** Most browsers at a time. */
const BROWSERS_MAX = 4;

/** What a batch comes to. */
interface Outcome {
  compiled: number;
  pipelines: number;
  /** Modules that need f16 where the adapter has none. */
  left_out: number;
  /** Message, and the file and line that it is about. */
  refused: { label: string; message: string }[];
}

const { values } = parseArgs({ options: { dir: { type: "string" } } });
if (!values.dir) throw new Error("--dir DIR is missing");
const dir = resolve(values.dir);
const index = JSON.parse(await readFile(join(dir, "index.json"), "utf8")) as {
  batches: number;
  modules: number;
  f16: number;
};

const here = resolve(fileURLToPath(import.meta.url), "..");
const site = await serve({ "/batches/": dir, "/shaders/": join(here, "shaders") });
site.handle("/", (_, response) => {
  response.setHeader("content-type", "text/html");
  response.end('<!doctype html><title>shaders</title><script type="module" src="/shaders/page.mjs"></script>');
});
/** Takes batches, with the others of its kind, until none is left; says what it ran on. */
async function compileBatches(): Promise<string> {
  const browser = await launch({ extension: null });
  try {
    const page = await browser.context.newPage();
    await page.goto(site.url("/"));
    await page.waitForFunction("globalThis.compile !== undefined");
    for (let batch = next++; batch < index.batches; batch = next++) {
      const outcome: Outcome = await page.evaluate(`compile(${batch})`);
      total.compiled += outcome.compiled;
      total.pipelines += outcome.pipelines;
      total.left_out += outcome.left_out;
      total.refused.push(...outcome.refused);
    }
    const { vendor, architecture, description } = browser.adapter;
    return [vendor, architecture, description].filter(Boolean).join(" ");
  } finally {
    await browser.close();
  }
}

const total: Outcome = { compiled: 0, pipelines: 0, left_out: 0, refused: [] };
let next = 0;
// The compiler runs in a browser's one GPU process.
const browsers = Math.min(BROWSERS_MAX, availableParallelism(), index.batches);
const [adapter] = await Promise.all(Array.from({ length: browsers }, compileBatches)).finally(() => site.close());

console.log(`chromium    ${total.compiled} modules compiled on ${adapter}`);
console.log(`pipelines   ${total.pipelines} made`);
if (total.left_out > 0) console.log(`skipped: ${total.left_out} modules with f16, which this adapter does not have`);
else console.log(`f16         ${index.f16 > 0 ? `${index.f16} modules need it, all compiled` : "no module needs it"}`);
const messages = new Map<string, { count: number; label: string }>();
for (const { message, label } of total.refused) {
  const known = messages.get(message);
  messages.set(message, { count: (known?.count ?? 0) + 1, label: known?.label ?? label });
}
for (const [message, { count, label }] of messages) console.log(`  ${count} x ${message}\n      first: ${label}`);
const seen = total.compiled + total.left_out + new Set(total.refused.map(({ label }) => label)).size;
if (seen < index.modules) console.log(`  only ${seen} of ${index.modules} modules have an outcome`);
process.exitCode = total.refused.length > 0 || seen < index.modules ? 1 : 0;
