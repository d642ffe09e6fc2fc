// `cancel` is honoured between two slices of work, wherever a request is, and what follows works.

import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { referenceDir } from "../../harness/paths.ts";
import { endings, RawWorker } from "../../harness/raw-worker.ts";
import { randomModel, VOCAB } from "../../helpers/random-model.ts";
import { PROTOCOL_VERSION, type Prompt, type Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

test("a download is cancelled", async ({ page, site }) => {
  const bytes = await readFile(join(referenceDir(), "models/llama32.F16.gguf"));
  site.handle("/hangs.gguf", (_, response) => {
    response.writeHead(200, { "content-length": bytes.length });
    response.write(bytes.subarray(0, 100_000));
  });
  const worker = await RawWorker.open(page, site);
  await worker.get("status", { type: "status" });
  const url = site.url("/hangs.gguf");
  const load = await worker.start({ type: "load", name: "a", source: { type: "url", url } });
  const waiting = await worker.start({ type: "tokenize", model: "a", text: "b" });
  await worker.heard(waiting, "progress");
  // The one that waits ends at once, although the first still hangs.
  await worker.get("ok", { type: "cancel", target: waiting });
  expect((await worker.ended(waiting)).error?.code).toBe("cancelled");
  expect(endings(await worker.received(load))).toBe(0);
  await worker.get("ok", { type: "cancel", target: load });
  const { error, events } = await worker.ended(load);
  expect(error?.code).toBe("cancelled");
  expect(endings(events)).toBe(1);
  const { stored } = await worker.get("status", { type: "status" });
  expect(stored.filter(({ whole }) => whole)).toEqual([]);
});

for (const backend of ["cpu", "webgpu"] as const) {
  test(
    `an answer is cancelled while it is written (${backend})`,
    { tag: backend === "cpu" ? [] : "@long" },
    async ({ page, site }) => {
      const worker = await RawWorker.open(page, site);
      const source = { type: "packaged", url: site.url("/reference/models/llama32.F16.gguf") } as const;
      await worker.get("loaded", { type: "load", name: "a", source, backend, contextTokens: 4096 });
      const prompt: Prompt = { type: "ids", ids: [506, 293, 266] };
      await worker.cancelAt("token");
      const { error, events } = await worker.ask({ type: "generate", model: "a", prompt, maxTokens: 4000 });
      expect(error?.code).toBe("cancelled");
      expect(endings(events)).toBe(1);
      // Its pages are free again: twice the whole context fits one after the other.
      const next = await worker.get("text", { type: "generate", model: "a", prompt, maxTokens: 5 });
      expect(next.ids.length).toBeGreaterThan(0);
    },
  );
}

test("what waits until a long answer has ended is cancelled at once", async ({ page, site }) => {
  const file = randomModel("large");
  site.mount("/random/", dirname(file));
  const worker = await RawWorker.open(page, site);
  const source = { type: "packaged", url: site.url(`/random/${basename(file)}`) } as const;
  await worker.get("loaded", { type: "load", name: "a", source, backend: "cpu", contextTokens: 2048 });
  const prompt: Prompt = { type: "ids", ids: [1] };
  const long = await worker.start({ type: "generate", model: "a", prompt, maxTokens: 2000 });
  await worker.heard(long, "begun");
  const waiting: Request[] = [
    { type: "load", name: "a", source, backend: "cpu", contextTokens: 64 },
    { type: "unload", name: "a" },
    { type: "loadLora", model: "a", name: "l", source },
  ];
  for (const request of waiting) {
    const id = await worker.start(request);
    await worker.get("ok", { type: "ping" });
    await worker.get("ok", { type: "cancel", target: id });
    expect((await worker.ended(id)).error?.code, request.type).toBe("cancelled");
    expect(endings(await worker.received(long)), request.type).toBe(0);
  }
  await worker.get("ok", { type: "cancel", target: long });
  expect((await worker.ended(long)).error?.code).toBe("cancelled");
  await worker.get("loaded", { type: "load", name: "b", source, backend: "cpu", contextTokens: 64 });
});

for (const [backend, size] of [
  ["cpu", "large"],
  ["webgpu", "small"],
] as const) {
  test(`a prompt of 2,000 tokens is cancelled within two slices (${backend})`, async ({ page, site }) => {
    test.slow();
    const file = randomModel(size);
    site.mount("/random/", dirname(file));
    const worker = await RawWorker.open(page, site);
    const source = { type: "packaged", url: site.url(`/random/${basename(file)}`) } as const;
    await worker.get("loaded", { type: "load", name: "a", source, backend, contextTokens: 2048 });
    const ids = Array.from({ length: 2000 }, (_, at) => (at * 7919) % VOCAB);
    // From inside the page, at the first slice: a message through the test would come some slices later.
    await worker.cancelAt("prefill");
    const long = await worker.start({ type: "generate", model: "a", prompt: { type: "ids", ids }, maxTokens: 8 });
    const { error, events } = await worker.ended(long);
    expect(error?.code).toBe("cancelled");
    const slices = events.flatMap((event) =>
      event.type === "progress" && event.stage === "prefill" ? event.done : [],
    );
    const [first = 0, ...later] = slices.filter((done) => done > 0);
    // A slice of this model takes longer than the time within which progress is told once: none goes unseen.
    expect(first, `${slices}`).toBeGreaterThan(0);
    expect(later.length, `${slices}`).toBeLessThanOrEqual(2);
    expect(slices.at(-1)).toBeLessThan(2000);
    const next: Request = { type: "generate", model: "a", prompt: { type: "ids", ids: [1] }, maxTokens: 2 };
    expect((await worker.get("text", next)).ids).toHaveLength(2);
  });
}

/** Pages of 4 MiB that once held the worker, as a unit that fills a block. */
const PAGES: [name: string, title: string, unit: string][] = [
  ["prose", "A mill", "The miller repairs the old wheel beside the stone bridge before the evening comes. "],
  [
    "a title of 1 MB",
    "The miller repairs wheel after wheel beside the bridge. ".repeat(20_000),
    "The miller repairs wheels. ",
  ],
  ["sentences of a letter", "A mill", "A! "],
  ["one word", "A mill", "a"],
];

for (const [name, title, unit] of PAGES) {
  test(`a long page is cancelled at once, and others are heard meanwhile (${name})`, async ({ page, site }) => {
    const worker = await RawWorker.open(page, site);
    await worker.get("status", { type: "status" });
    const found = await page.evaluate(
      async ([version, title, unit]) => {
        const { raw } = globalThis as unknown as { raw: { worker: Worker; nextId: number } };
        const listen = (id: number, types: string[]) =>
          new Promise<{ type: string; error?: { code: string } }>((resolve) => {
            const hear = ({ data }: MessageEvent) => {
              if (data.id !== id || !types.includes(data.event.type)) return;
              raw.worker.removeEventListener("message", hear);
              resolve(data.event);
            };
            raw.worker.addEventListener("message", hear);
          });
        const ask = (request: object, types = ["done", "failed"]) => {
          const id = raw.nextId++;
          const heard = listen(id, types);
          raw.worker.postMessage({ version, id, request });
          return { id, heard };
        };
        const words = "A page needs a dozen words of prose, or it is refused as one without any text.";
        const text = unit.repeat(Math.floor((4 << 20) / unit.length));
        const blocks = [words, text].map((text) => ({ kind: "paragraph", text }));
        const request = { type: "summarize", page: { title, blocks } };
        const pings: number[] = [];
        const ping = async () => {
          const start = performance.now();
          await ask({ type: "ping" }).heard;
          pings.push(performance.now() - start);
        };
        const begin = async () => {
          const begun = ask(request, ["begun"]);
          const ended = listen(begun.id, ["done", "failed"]);
          await begun.heard;
          return { id: begun.id, ended };
        };
        // To its end, with others in between.
        const whole = await begin();
        let over = false;
        const start = performance.now();
        const end = whole.ended.then((event) => ((over = true), event));
        while (!over) await ping();
        const wholeMs = performance.now() - start;
        // Cancelled at several moments.
        const cancels: number[] = [];
        const codes: (string | undefined)[] = [];
        for (const moment of [0, 20, 50, 100, 200]) {
          // Another title makes it another page.
          request.page.title = `${moment} ${title}`;
          const { id, ended } = await begin();
          await new Promise((resolve) => setTimeout(resolve, moment));
          const start = performance.now();
          ask({ type: "cancel", target: id });
          codes.push((await ended).error?.code);
          cancels.push(performance.now() - start);
        }
        return { end: (await end).type, wholeMs, pings, cancels, codes };
      },
      [PROTOCOL_VERSION, title, unit] as const,
    );
    const { end, wholeMs, pings, cancels, codes } = found;
    // On a machine that does other things as well, single answers are late. engine/tests/digest_hostile.rs holds every slice
    // to its time, in the thread's own.
    const nth = (values: number[], share: number) => values.sort((a, b) => a - b)[Math.floor(values.length * share)]!;
    const [usual, cancelled] = [nth(pings, 0.8), nth(cancels, 0.5)];
    const report = `${Math.round(wholeMs)} ms; ${pings.length} pings, ${Math.round(usual)} ms; cancelled after ${cancels.map(Math.round)} ms`;
    console.log(`${name}: ${report}`);
    expect(end).toBe("done");
    expect(codes).toEqual(Array(5).fill("cancelled"));
    expect(pings.length, report).toBeGreaterThan(wholeMs / 100);
    expect(cancelled, report).toBeLessThan(100);
    expect(usual, report).toBeLessThan(50);
  });
}
