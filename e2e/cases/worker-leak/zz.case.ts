import { basename, dirname } from "node:path";
import { test } from "../../fixtures.ts";
import { MINILM_FILE } from "../../harness/paths.ts";
import { patchedWorker } from "../../harness/patched-worker.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import { randomModel } from "../../helpers/random-model.ts";
import type { Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });
function patch(): void {
  let table: WebAssembly.Table | null = null;
  const W = WebAssembly as unknown as Record<string, (...a: unknown[]) => Promise<unknown>>;
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const real = W[name]!.bind(WebAssembly);
    W[name] = async (...args: unknown[]) => {
      const out = (await real(...args)) as { instance?: WebAssembly.Instance; exports?: WebAssembly.Exports };
      const exports = out.exports ?? out.instance!.exports;
      table ??= (exports["__wbindgen_externrefs"] as WebAssembly.Table) ?? null;
      return out;
    };
  }
  const told = new BroadcastChannel("table");
  told.onmessage = () => {
    let numbers: Record<string, number> = {};
    for (let i = 0; table && i < table.length; i += 1) {
      const v = table.get(i);
      const k = v === null ? "null" : typeof v === "object" ? (v.constructor?.name ?? "obj") : typeof v === "number" ? "number" : typeof v === "string" ? "str:" + v.slice(0, 10) : String(typeof v);
      numbers[k] = (numbers[k] ?? 0) + 1;
    }
    told.postMessage(JSON.stringify([table?.length ?? null, numbers]));
  };
}
test("table", async ({ page, site }) => {
  test.setTimeout(580_000);
  const file = randomModel("small");
  site.mount("/random/", dirname(file));
  const worker = await RawWorker.open(page, site);
  await worker.restart(patchedWorker(site, patch));
  await worker.get("ok", { type: "ping" });
  const length = () =>
    page.evaluate(() => new Promise((r) => { const c = new BroadcastChannel("table"); c.onmessage = (e) => (c.close(), r(e.data)); c.postMessage(1); }));
  const load = (name: string, path: string, backend: "cpu" | "webgpu"): Request => ({ type: "load", name, source: { type: "packaged", url: site.url(path) }, backend, contextTokens: 256 });
  const gen = (model: string): Request => ({ type: "generate", model, prompt: { type: "ids", ids: [1, 2, 3] }, maxTokens: 8 });
  console.log("start", await length());
  await worker.get("loaded", load("embedding", `/models/${basename(MINILM_FILE)}`, "cpu"));
  await worker.get("loaded", load("a", `/random/${basename(file)}`, "cpu"));
  console.log("loaded", await length());
  for (let i = 0; i < 300; i += 1) await worker.get("ok", { type: "ping" });
  console.log("300 pings", await length());
  for (let i = 0; i < 300; i += 1) await worker.get("text", gen("a"));
  console.log("300 gens cpu", await length());
  for (let i = 0; i < 100; i += 1) {
    const blocks = Array.from({ length: 8 }, (_, at) => ({ kind: "paragraph" as const, text: `The harbour ${i} ${at} reported a thing. A ferry measured another ${i} of them.` }));
    await worker.get("summary", { type: "summarize", page: { title: `T ${i}`, description: null, language: "en", blocks } });
  }
  console.log("100 summaries", await length());
  for (let i = 0; i < 60; i += 1) { await worker.get("loaded", load("a", `/random/${basename(file)}`, "cpu")); await worker.get("ok", { type: "unload", name: "a" }); }
  console.log("60 loads cpu", await length());
  await worker.get("loaded", load("b", `/random/${basename(file)}`, "webgpu"));
  console.log("gpu loaded", await length());
  for (let i = 0; i < 100; i += 1) await worker.get("text", gen("b"));
  console.log("100 gens gpu", await length());
  for (let i = 0; i < 20; i += 1) { await worker.get("loaded", load("b", `/random/${basename(file)}`, "webgpu")); await worker.get("ok", { type: "unload", name: "b" }); }
  console.log("20 loads gpu", await length());
});
