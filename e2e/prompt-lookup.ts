// Prompt-lookup decoding on a real model that answers about pages: proposed and accepted tokens, and tokens per second with it and
// without. The texts must be the same.
//   npx tsx prompt-lookup.ts [--backend cpu|webgpu|webgl2] [--model FILE] [--tokens N] [--rounds N]

import { basename, dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type ClientGlobals, openClient, serveClient } from "./harness/client.ts";
import { launch } from "./harness/launch.ts";
import { ROOT, SMOLLM2_FILE } from "./harness/paths.ts";
import type { Pith } from "../web/src/index.ts";

const { values } = parseArgs({
  options: {
    backend: { type: "string", default: "cpu" },
    model: { type: "string", default: SMOLLM2_FILE },
    tokens: { type: "string", default: "96" },
    rounds: { type: "string", default: "2" },
  },
});
const PAGES = ["article", "documentation", "encyclopedia", "news"];
/** So much of a page as leaves room for an answer in the model's context. */
const TEXT_LENGTH = 4000;
const TASKS = {
  summary: "Summarize the text in three sentences.",
  question: "What is the text about, and which facts does it give? Answer with sentences of the text.",
  quotes: "Copy the two most important sentences of the text, word for word.",
};

const file = resolve(values.model);
const site = await serveClient({ "/model/": dirname(file), "/pages/": resolve(ROOT, "e2e/pages") });
site.isolate();
const browser = await launch({ extension: null });
const reader = await browser.context.newPage();
const texts: string[] = [];
for (const name of PAGES) {
  await reader.goto(site.url(`/pages/${name}/index.html`));
  texts.push(((await reader.evaluate("document.body.innerText")) as string).slice(0, TEXT_LENGTH));
}
const page = await openClient(browser.context, site);
await page.evaluate(
  async ([path, backend]) => {
    const { Client } = globalThis as unknown as ClientGlobals;
    const pith = await Client.open();
    await pith.load("a", { packaged: path }, { backend: backend as "cpu", contextTokens: 2048 });
    Object.assign(globalThis, { pith });
  },
  [`/model/${basename(file)}`, values.backend] as const,
);

const run = (content: string, promptLookup: boolean) =>
  page.evaluate(
    async ([content, promptLookup, maxTokens]) => {
      const { pith } = globalThis as unknown as { pith: Pith };
      const { ids, stats } = await pith.generate("a", [{ role: "user", content }], { maxTokens, promptLookup }).result;
      const { decodeMs, drafted, accepted } = stats;
      return { ids, decodeMs, drafted, accepted };
    },
    [content, promptLookup, Number(values.tokens)] as const,
  );

console.log("| task | answers | tokens | proposed | accepted | tokens/s without | with | ratio |");
console.log("|---|---|---|---|---|---|---|---|");
for (const [task, question] of Object.entries(TASKS)) {
  const sums = { tokens: 0, drafted: 0, accepted: 0, with_ms: 0, without_ms: 0 };
  for (const text of texts) {
    // The first one reads the page, which the others find read.
    await run(`${text}\n\n${question}`, false);
    for (let round = 0; round < Number(values.rounds); round += 1) {
      // In turn: a machine gets slower and faster.
      const first = await run(`${text}\n\n${question}`, round % 2 === 0);
      const second = await run(`${text}\n\n${question}`, round % 2 !== 0);
      const [without, guessed] = round % 2 === 0 ? [second, first] : [first, second];
      if (JSON.stringify(without.ids) !== JSON.stringify(guessed.ids)) throw new Error(`${task}: another text`);
      sums.tokens += guessed.ids.length - 1;
      sums.drafted += guessed.drafted;
      sums.accepted += guessed.accepted;
      sums.with_ms += guessed.decodeMs;
      sums.without_ms += without.decodeMs;
    }
  }
  const rounds = Number(values.rounds);
  const [without, guessed] = [sums.without_ms, sums.with_ms].map((ms) => sums.tokens / (ms / 1e3)) as [number, number];
  console.log(
    `| ${task} | ${texts.length} | ${sums.tokens / rounds} | ${sums.drafted / rounds} | ${sums.accepted / rounds} | ${without.toFixed(1)} | ${guessed.toFixed(1)} | ${(guessed / without).toFixed(2)} |`,
  );
}
await browser.close();
await site.close();
