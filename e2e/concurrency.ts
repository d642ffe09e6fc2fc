// Throughput and time to the first token of 1, 2, 4 and 8 requests that come at once, beside the same requests one after another.
//   npx tsx concurrency.ts [--backend cpu|webgpu|webgl2] [--model FILE] [--temperature N] [--tokens N]

import { basename, dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type ClientGlobals, openClient, serveClient } from "./harness/client.ts";
import { launch } from "./harness/launch.ts";
import { SMOLLM2_FILE } from "./harness/paths.ts";
import type { Pith } from "../web/src/index.ts";

const { values } = parseArgs({
  options: {
    backend: { type: "string", default: "cpu" },
    model: { type: "string", default: SMOLLM2_FILE },
    temperature: { type: "string", default: "0" },
    tokens: { type: "string", default: "32" },
  },
});
const COUNTS = [1, 2, 4, 8];
const PROMPT_TOKENS = 64;

const file = resolve(values.model);
const site = await serveClient({ "/model/": dirname(file) });
const browser = await launch({ extension: null });
const page = await openClient(browser.context, site);
await page.evaluate(
  async ([path, backend]) => {
    const { Client } = globalThis as unknown as ClientGlobals;
    const pith = await Client.open();
    await pith.load("a", { packaged: path }, { backend: backend as "cpu", contextTokens: 1024 });
    Object.assign(globalThis, { pith });
  },
  [`/model/${basename(file)}`, values.backend] as const,
);

/** Milliseconds from the common start to the first token of each and to the end of all, and all texts. */
const run = (count: number, together: boolean, first: number) =>
  page.evaluate(
    async ([count, together, first, promptTokens, maxTokens, temperature]) => {
      const { pith } = globalThis as unknown as { pith: Pith };
      const start_ms = performance.now();
      const one = async (seed: number) => {
        const ids = Array.from({ length: promptTokens }, (_, at) => 100 + ((at * 7919 + seed * 104_729) % 8000));
        const sampling = temperature > 0 ? { temperature, seed } : {};
        const generation = pith.generate("a", { type: "ids", ids }, { maxTokens, promptLookup: false, sampling });
        let first_ms = 0;
        for await (const _ of generation.pieces()) first_ms ||= performance.now() - start_ms;
        const { ids: text, stats } = await generation.result;
        return { first_ms, text, shared: stats.sharedTokens };
      };
      const seeds = Array.from({ length: count }, (_, at) => first + at);
      const all = [];
      if (together) all.push(...(await Promise.all(seeds.map(one))));
      else for (const seed of seeds) all.push(await one(seed));
      return { all, end_ms: performance.now() - start_ms };
    },
    [count, together, first, PROMPT_TOKENS, Number(values.tokens), Number(values.temperature)] as const,
  );

await run(2, true, 0);
console.log(
  `| requests | tokens/s, one after another | together | first tokens (s), one after another | together | shared |`,
);
console.log("|---|---|---|---|---|---|");
for (const count of COUNTS) {
  // Other prompts in each: what begins alike is not read again.
  const [alone, together] = [await run(count, false, 100 * count), await run(count, true, 100 * count + 50)];
  const texts = ({ all }: typeof alone) => JSON.stringify(all.map(({ text }) => text));
  if (texts(await run(count, false, 100 * count + 50)) !== texts(together))
    throw new Error(`${count} requests: other texts together than alone`);
  const tokens = together.all.reduce((sum, { text }) => sum + text.length, 0);
  const shared = together.all.reduce((sum, one) => sum + one.shared, 0);
  const speed = ({ end_ms }: typeof alone) => ((1000 * tokens) / end_ms).toFixed(1);
  const firsts = ({ all }: typeof alone) => {
    const list = all.map(({ first_ms }) => first_ms / 1000).sort((a, b) => a - b);
    return [...new Set([list[0]!, list.at(-1)!])].map((s) => s.toFixed(2)).join(" to ");
  };
  console.log(
    `| ${count} | ${speed(alone)} | ${speed(together)} | ${firsts(alone)} | ${firsts(together)} | ${Math.round((100 * shared) / tokens)} % |`,
  );
}
await browser.close();
await site.close();
