// How well the extension reads: the words that it takes from pages, compared with marks made by hand.
//   cargo xtask reading [--pages DIR] [--only NAME] [--blocks] [--kinds] [--json]
// DIR/NAME/page.html is the page and DIR/NAME/main.txt its marks; pages/reading/README.md has the rules. Exit status 1
// where the averages or a page are below the limits of reading/report.ts.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./harness/paths.ts";
import { serve } from "./harness/server.ts";
import { openReader } from "./reading/browser.ts";
import { type CorpusPage, corpusPages } from "./reading/corpus.ts";
import { Skipped } from "./reading/packages.ts";
import { Report } from "./reading/report.ts";
import { differences, score } from "./reading/score.ts";

const { values: options } = parseArgs({
  options: {
    pages: { type: "string", default: resolve(ROOT, "e2e/pages/reading") },
    only: { type: "string", default: "" },
    blocks: { type: "boolean", default: false },
    kinds: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const pages = corpusPages(resolve(options.pages)).filter(({ name }) => name.includes(options.only));
if (pages.length === 0) throw new Error(`${options.pages} has no page with "${options.only}" in its name`);

const site = await serve({});
const reader = await openReader();
const report = new Report(options.json);

async function measure(page: CorpusPage): Promise<void> {
  const started_ms = performance.now();
  const reading = await reader.read(page.open(site));
  const marks = await page.marks(reader.page);
  // A page that the extension does not read has no blocks; the reason helps whoever looks at the figures.
  if ("problem" in reading) console.error(`${page.name}: ${reading.problem}`);
  else if (options.blocks) {
    for (const { kind, text, speaker } of reading.page.blocks) {
      console.error(`${kind.padEnd(10)} ${speaker ? `(${speaker}) ` : ""}${text}`);
    }
  }
  if (options.kinds && !("problem" in reading)) await tellKinds(page);
  const text = "problem" in reading ? [] : reading.page.blocks.filter(({ kind }) => kind !== "comment");
  const read = text.map((block) => block.text);
  report.add({
    kind: page.kind,
    ...score(page.name, marks, read),
    ...differences(marks, read),
    time_ms: performance.now() - started_ms,
  });
}

/** The kind that the worker finds, the runner-up, and what spoke for each. */
async function tellKinds(page: CorpusPage): Promise<void> {
  const shown = await reader.summarize(page.open(site));
  if ("problem" in shown) return console.error(`${page.name}: ${shown.problem}`);
  const { kind, kindConfidence, kinds } = shown.summary;
  console.error(`${page.name}: ${kind} ${kindConfidence.toFixed(2)}`);
  for (const { kind: name, confidence, signs } of kinds.slice(0, 2)) {
    const why = signs.map(({ name: sign, weight }) => `${sign} ${weight.toFixed(1)}`);
    console.error(`  ${name} ${confidence.toFixed(2)}: ${why.join(", ")}`);
  }
}

try {
  for (const page of pages) {
    try {
      await measure(page);
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      report.skip(page.name, error.message);
    }
  }
  process.exitCode = report.finish() ? 0 : 1;
} finally {
  await reader.close();
  await site.close();
}
