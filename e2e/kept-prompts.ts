// Time to the first token of a second question about a page after a restart of the browser, with the prompt kept on the disk and
// without; bytes on the disk.
//   npx tsx kept-prompts.ts [--backend cpu|webgpu|webgl2] [--model FILE] [--cache f32,f16,q8_0,q4_0] [--words N]

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type ClientGlobals, openClient, serveClient } from "./harness/client.ts";
import { launch } from "./harness/launch.ts";
import { ROOT, SMOLLM2_FILE } from "./harness/paths.ts";

const { values } = parseArgs({
  options: {
    backend: { type: "string", default: "cpu" },
    model: { type: "string", default: SMOLLM2_FILE },
    cache: { type: "string", default: "f32,f16,q8_0,q4_0" },
    words: { type: "string", default: "1500" },
  },
});

/** Text of the project's own set of documents. */
async function article(words: number): Promise<string> {
  const folder = resolve(ROOT, "engine/tests/quality");
  const text: string[] = [];
  for (const name of (await readdir(folder)).filter((name) => name.endsWith(".json")).sort()) {
    const { blocks = [] } = JSON.parse(await readFile(join(folder, name), "utf8")) as { blocks?: { text: string }[] };
    for (const block of blocks) text.push(...block.text.split(/\s+/));
  }
  if (text.length < words) throw new Error(`the set has ${text.length} words only`);
  return text.slice(0, words).join(" ");
}

const file = resolve(values.model);
const text = await article(Number(values.words));
const site = await serveClient({ "/model/": dirname(file) });

interface Asked {
  first_ms: number;
  ids: number[];
  prompt_tokens: number;
  restored_tokens: number;
  disk_bytes: number;
}

/** Starts the browser, loads the model and asks. */
async function ask(profile: string, cache: string, question: string, keepPrompt: boolean): Promise<Asked> {
  const browser = await launch({ extension: null, profile });
  try {
    const page = await openClient(browser.context, site);
    return await page.evaluate(
      async ([path, backend, cacheType, content, keepPrompt]) => {
        const { Client } = globalThis as unknown as ClientGlobals;
        const pith = await Client.open();
        const options = { backend: backend as "cpu", cacheType: cacheType as "f32", contextTokens: 4096, force: true };
        await pith.load("a", { url: location.origin + path }, options);
        // The first request of all measures how much is read at once.
        await pith.generate("a", "Once upon a time", { maxTokens: 2 }).result;
        const start_ms = performance.now();
        const generation = pith.generate("a", [{ role: "user", content }], { maxTokens: 16, keepPrompt });
        let first_ms = 0;
        for await (const _ of generation.pieces()) first_ms ||= performance.now() - start_ms;
        const { ids, stats } = await generation.result;
        let disk_bytes = -1;
        // It is written once there is nothing else to do.
        for (let still = 0; still < 8;) {
          await new Promise((resolve) => setTimeout(resolve, 250));
          const { promptBytes } = (await pith.status()).store;
          still = promptBytes === disk_bytes ? still + 1 : 0;
          disk_bytes = promptBytes;
        }
        return {
          first_ms,
          ids,
          prompt_tokens: stats.promptTokens,
          restored_tokens: stats.restoredTokens,
          disk_bytes,
        };
      },
      [`/model/${basename(file)}`, values.backend, cache, `${text}\n\n${question}`, keepPrompt] as const,
    );
  } finally {
    await browser.close();
  }
}

console.log(
  `| cache | tokens | first token without (s) | kept (s) | restored | MB on the disk | MB for 1,000 tokens |`,
);
console.log("|---|---|---|---|---|---|---|");
for (const cache of values.cache.split(",")) {
  const profile = await mkdtemp(join(tmpdir(), "pith-kept-"));
  const [first, second] = ["What is this text about?", "Which numbers does it give?"];
  const kept = await ask(profile, cache, first, true);
  const without = await ask(profile, cache, second, false);
  const again = await ask(profile, cache, second, true);
  if (again.restored_tokens === 0) throw new Error(`${cache}: nothing was restored`);
  const same = JSON.stringify(again.ids) === JSON.stringify(without.ids) ? "" : " (another text)";
  const [s, mb] = [(ms: number) => (ms / 1000).toFixed(2), (bytes: number) => (bytes / 1e6).toFixed(1)];
  console.log(
    `| ${cache} | ${again.prompt_tokens} | ${s(without.first_ms)} | ${s(again.first_ms)}${same} | ${again.restored_tokens} | ${mb(kept.disk_bytes)} | ${mb((1000 * kept.disk_bytes) / kept.prompt_tokens)} |`,
  );
  await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
await site.close();
