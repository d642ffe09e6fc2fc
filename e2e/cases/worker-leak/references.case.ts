// What JavaScript has and Rust refers to stands in a table of wasm-bindgen's. No request leaves anything there.

import { basename, dirname } from "node:path";
import type { Page as WebPage } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { MINILM_FILE } from "../../harness/paths.ts";
import { patchedWorker } from "../../harness/patched-worker.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import { randomModel } from "../../helpers/random-model.ts";
import type { Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

const TIMES = 30;
/** Names of fields are kept once each; a request that leaves something leaves at least one each time. */
const MORE_MAX = TIMES - 1;

/** Runs in the worker before its own script: counts the references, for whoever asks. A free slot holds null. */
function patch(): void {
  let table: WebAssembly.Table | null = null;
  const real = WebAssembly.instantiateStreaming.bind(WebAssembly);
  WebAssembly.instantiateStreaming = async (...args) => {
    const made = await real(...args);
    table ??= made.instance.exports["__wbindgen_externrefs"] as WebAssembly.Table;
    return made;
  };
  const told = new BroadcastChannel("references");
  told.onmessage = () => {
    let count = 0;
    for (let at = 0; table && at < table.length; at += 1) count += table.get(at) === null ? 0 : 1;
    told.postMessage(count);
  };
}

const references = (page: WebPage): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const channel = new BroadcastChannel("references");
        channel.onmessage = ({ data }) => (channel.close(), resolve(data as number));
        channel.postMessage(null);
      }),
  );

test("requests leave no reference behind", async ({ page, site }) => {
  test.slow();
  const file = randomModel("small");
  site.mount("/random/", dirname(file));
  const worker = await RawWorker.open(page, site);
  await worker.restart(patchedWorker(site, patch));
  const load = (name: string, path: string): Request => ({
    type: "load",
    name,
    source: { type: "packaged", url: site.url(path) },
    backend: "cpu",
    contextTokens: 256,
  });
  const text = load("text", `/random/${basename(file)}`);
  await worker.get("loaded", load("embedding", `/models/${basename(MINILM_FILE)}`));
  await worker.get("loaded", text);
  const blocks = [{ kind: "paragraph" as const, text: "The harbour was measured. A ferry was repaired in 1999." }];
  const article = { title: "Report", description: null, language: "en", blocks };
  const requests: Record<string, unknown[]> = {
    ping: [{ type: "ping" }],
    generate: [{ type: "generate", model: "text", prompt: { type: "ids", ids: [1, 2, 3] }, maxTokens: 4 }],
    summarize: [{ type: "summarize", page: article }],
    ask: [{ type: "ask", page: article, question: "What was repaired?" }],
    embed: [{ type: "embed", model: "embedding", texts: ["A ferry."] }],
    load: [{ type: "unload", name: "text" }, text],
    status: [{ type: "status" }],
    "no request": [{}, { type: "nothing" }, null, 7, "x", { type: "ask", page: 1, question: {} }],
  };
  for (const [name, list] of Object.entries(requests)) {
    await worker.sendAll(list);
    const before = await references(page);
    for (let time = 0; time < TIMES; time += 1) await worker.sendAll(list);
    expect((await references(page)) - before, name).toBeLessThanOrEqual(MORE_MAX);
  }
});
