// LoRA adapters: each request chooses one, how strongly, or none.

import { expect, test } from "../../fixtures.ts";
import { endings, RawWorker } from "../../harness/raw-worker.ts";
import { NMSE_MAX } from "../../helpers/golden.ts";
import { distance, MANIFEST } from "../../helpers/oracle.ts";
import type { Site } from "../../harness/server.ts";
import type { Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

const packaged = (site: Site, file: string) => ({ type: "packaged", url: site.url(`/oracle/${file}`) }) as const;
const loadBase = (site: Site, file: string, backend: "cpu" | "webgpu" | "webgl2" = "cpu"): Request => ({
  type: "load",
  name: "base",
  source: packaged(site, file),
  backend,
});
const TIED = MANIFEST.lora.find(({ name }) => name === "llama-tied")!;
const [EVERY, SOME] = TIED.adapters;

for (const backend of ["cpu", "webgpu", "webgl2"] as const) {
  for (const record of MANIFEST.lora) {
    // A software GPU compiles for a minute.
    const isLong = backend !== "cpu";
    test(
      `${record.name} with its adapters on ${backend}: on, half, off`,
      { tag: isLong ? "@long" : [] },
      async ({ page, site }, info) => {
        const worker = await RawWorker.open(page, site);
        const { model: plain } = await worker.get("loaded", loadBase(site, record.file, backend));
        expect(plain.loras).toEqual([]);
        const names = record.adapters.map(({ name }) => name);
        for (const [at, { name, file }] of record.adapters.entries()) {
          const source = packaged(site, file);
          const { model } = await worker.get("loaded", { type: "loadLora", model: "base", name, source });
          expect(model.loras).toEqual(names.slice(0, at + 1).sort());
          expect(model.weightsBytes).toBeGreaterThan(plain.weightsBytes);
        }
        for (const { scales, prompts } of record.runs) {
          const acting = scales.flatMap((scale, at) => (scale === 0 ? [] : [{ name: names[at]!, scale }]));
          if (acting.length > 1) {
            console.log(`skipped: scales ${scales.join()}, because a request has one adapter`);
            continue;
          }
          // Where none acts: first one with the scale 0, then none at all.
          const uses = acting.length > 0 ? acting : [{ name: names[0]!, scale: 0 }, undefined];
          for (const lora of uses) {
            const what = `${lora?.name ?? "none"} * ${lora?.scale}`;
            const { nmse, greedyEqual } = await distance(worker, "base", record, prompts, lora);
            info.annotations.push({ type: what, description: `nmse ${nmse}` });
            expect(nmse, what).toBeLessThanOrEqual(NMSE_MAX);
            expect(greedyEqual, what).toBe(true);
            for (const { ids, greedy } of prompts) {
              const prompt = { type: "ids", ids } as const;
              const text = await worker.get("text", {
                type: "generate",
                model: "base",
                prompt,
                maxTokens: greedy.length,
                lora: lora ?? null,
              });
              expect(text.ids, what).toEqual(greedy);
              expect(text.stats.objectsCreated, what).toBe(0);
            }
          }
        }
      },
    );
  }
}

test("adapters that do not fit are refused, and the model stays as it was", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const attach = (file: string, model = "base"): Request => ({
    type: "loadLora",
    model,
    name: "a",
    source: packaged(site, file),
  });
  const rows: [what: string, base: string, adapter: string, code: string][] = [
    ["made for another architecture", "models/gemma2-kv.F16.gguf", EVERY!.file, "wrong_base"],
    ["made for another size", "models/llama-hd40.F16.gguf", EVERY!.file, "wrong_base"],
    ["of an embedding that is the output too", TIED.file, "lora/ends-f32.gguf", "tied_target"],
    ["a model", TIED.file, TIED.file, "not_a_lora"],
    ["a golden file", TIED.file, TIED.golden.ref.file, "not_gguf"],
  ];
  for (const [what, base, adapter, code] of rows) {
    await worker.get("loaded", loadBase(site, base));
    const { error, events } = await worker.ask(attach(adapter));
    expect(error?.code, `${what}: ${error?.detail}`).toBe(code);
    expect(endings(events), what).toBe(1);
  }
  expect((await worker.ask(attach(EVERY!.file, "absent"))).error?.code).toBe("model_not_loaded");
  expect((await worker.ask(loadBase(site, EVERY!.file))).error?.code).toBe("not_a_model");

  const { prompts } = TIED.runs.find(({ scales }) => scales.every((scale) => scale === 0))!;
  expect((await distance(worker, "base", TIED, prompts)).nmse).toBeLessThanOrEqual(NMSE_MAX);
  const { models } = await worker.get("status", { type: "status" });
  expect(models).toMatchObject([{ name: "base", loras: [] }]);
});

test("a request names an adapter of its model; unloading the model frees its adapters", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  await worker.get("loaded", loadBase(site, TIED.file));
  const attach = { type: "loadLora", model: "base", name: "a", source: { type: "file" } } as const;
  expect((await worker.ask(attach)).error?.code).toBe("bad_message");
  await worker.get("loaded", attach, { url: site.url(`/oracle/${EVERY!.file}`) });

  const evaluate = { type: "evaluate" as const, model: "base", ids: [1, 5, 33], first: 2 };
  const rows = async (request: Request) => [...(await worker.get("logits", request)).values];
  const plain = await rows(evaluate);
  const changed = await rows({ ...evaluate, lora: { name: "a" } });
  expect(changed).not.toEqual(plain);
  expect(await rows({ ...evaluate, lora: { name: "a", scale: 1 } })).toEqual(changed);
  expect(await rows(evaluate), "after one with the adapter").toEqual(plain);

  const wrong: [lora: { name: string; scale?: number }, code: string][] = [
    [{ name: "b" }, "lora_not_loaded"],
    [{ name: "a", scale: NaN }, "bad_message"],
    [{ name: "a", scale: Infinity }, "bad_message"],
  ];
  for (const [lora, code] of wrong)
    expect((await worker.ask({ ...evaluate, lora })).error?.code, JSON.stringify(lora)).toBe(code);

  const absent = { name: "b" };
  const others: Request[] = [
    { type: "embed", model: "base", texts: ["a"], lora: absent },
    { type: "generate", model: "base", prompt: { type: "ids", ids: [1] }, maxTokens: 1, lora: absent },
  ];
  for (const request of others) expect((await worker.ask(request)).error?.code, request.type).toBe("lora_not_loaded");

  // Under the same name another one.
  const { model } = await worker.get("loaded", attach, { url: site.url(`/oracle/${SOME!.file}`) });
  expect(model.loras).toEqual(["a"]);
  const run = TIED.runs.find(({ scales }) => scales[0] === 0 && scales[1] === 1)!;
  expect((await distance(worker, "base", TIED, run.prompts, { name: "a" })).nmse).toBeLessThanOrEqual(NMSE_MAX);

  await worker.get("ok", { type: "unload", name: "base" });
  const again = await worker.get("loaded", loadBase(site, TIED.file));
  expect(again.model.loras).toEqual([]);
  expect((await worker.ask({ ...evaluate, lora: { name: "a" } })).error?.code).toBe("lora_not_loaded");
});

test("an adapter is downloaded once; a download that hangs is cancelled", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  await worker.get("loaded", loadBase(site, TIED.file));
  const attach = (url: string) =>
    ({ type: "loadLora", model: "base", name: "a", source: { type: "url", url } }) as const;
  site.handle("/hangs.gguf", (_, response) => {
    response.writeHead(200, { "content-length": 100_000 });
    response.write("GGUF");
  });
  const hangs = await worker.start(attach(site.url("/hangs.gguf")));
  await worker.heard(hangs, "progress");
  await worker.get("ok", { type: "cancel", target: hangs });
  expect((await worker.ended(hangs)).error?.code).toBe("cancelled");

  const url = site.url(`/oracle/${EVERY!.file}`);
  const asked = () => site.requests.filter((line) => line.endsWith(EVERY!.file)).length;
  const before = asked();
  const { events, error } = await worker.ask(attach(url));
  expect(error).toBeUndefined();
  const once = asked();
  expect(once).toBeGreaterThan(before);
  const stages = events.flatMap((event) => (event.type === "progress" ? [event.stage] : []));
  expect(stages).toEqual(expect.arrayContaining(["download", "load", "compile"]));
  expect(
    (await worker.ask(attach(url))).events.map(({ type }) => type),
    "attached already",
  ).toEqual(["begun", "done"]);
  await worker.get("ok", { type: "unload", name: "base" });
  await worker.get("loaded", loadBase(site, TIED.file));
  await worker.get("loaded", attach(url));
  expect(asked()).toBe(once);

  const whole = async () => (await worker.get("status", { type: "status" })).stored.filter((adapter) => adapter.whole);
  const [stored, ...others] = await whole();
  expect(stored).toMatchObject({ name: expect.stringMatching(/^all-f32-/), url, files: 1 });
  expect(others).toEqual([]);
  await worker.get("ok", { type: "delete", name: stored!.name });
  expect(await whole()).toEqual([]);
});
