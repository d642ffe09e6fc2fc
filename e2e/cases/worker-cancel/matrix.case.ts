// Every request is cancelled at the calls that it waits for, on servers that break in every way: it ends within a second, no
// lock stays, and the worker goes on. A sample of the calls; with the long suites all of them on servers that do not break, and
// more of them on all others.

import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { cancellingWorker, cancelNext, whatBecame } from "../../harness/cancelling-worker.ts";
import type { FaultyServer, Faults } from "../../harness/faulty-server.ts";
import { locks } from "../../harness/faulty-store.ts";
import type { RawWorker } from "../../harness/raw-worker.ts";
import type { Site } from "../../harness/server.ts";
import { bytesOf, configure, download, empty, FAILED_REQUEST, MIB, openStore } from "../../helpers/downloads.ts";
import { flipByte } from "../../helpers/stored-files.ts";
import type { Prompt, Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

/** Calls of each request at which it is cancelled: on a server that breaks, and where nothing does. */
const SAMPLE = process.env.PITH_FULL ? 8 : 2;
const SAMPLE_WHOLE = process.env.PITH_FULL ? Infinity : SAMPLE;
const LATE_MS_MAX = 1000;

interface World {
  page: Page;
  site: Site;
  faulty: FaultyServer;
  worker: RawWorker;
}

/** Cancels a request, made anew each time, at calls from its first to its last. Gives how many. */
async function cancelEverywhere(
  { page, worker }: World,
  name: string,
  prepare: (round: number) => Promise<Request>,
  sample = SAMPLE_WHOLE,
): Promise<number> {
  const run = async (round: number, nth: number) => {
    const request = await prepare(round);
    await cancelNext(page, nth);
    const { error } = await worker.ask(request);
    return { code: error?.code ?? "done", detail: error?.detail, ...(await whatBecame(page)) };
  };
  const whole = await run(0, 0);
  const step = Math.max(1, whole.calls / sample);
  let rounds = 0;
  let atOnce = 0;
  for (let at = 1; at <= whole.calls; at += step) {
    const nth = Math.floor(at);
    const when = `${name}, call ${nth} of ${whole.calls}`;
    const { code, detail, late_ms } = await run((rounds += 1), nth);
    // It may have been at its end, or at a failure of its own.
    expect(["cancelled", "done", whole.code], `${when}: ${detail}`).toContain(code);
    atOnce += code === "cancelled" ? 1 : 0;
    if (late_ms !== null) expect(late_ms, `${when}: from the cancel to the end`).toBeLessThan(LATE_MS_MAX);
    expect(await worker.deaths(), when).toEqual([]);
  }
  await expect.poll(() => locks(page), { timeout: 5000, message: name }).toEqual([]);
  console.log(`${name}: ${rounds} of ${whole.calls} calls, ${atOnce} cancelled, ${whole.code} without`);
  return rounds;
}

const CUTS: [name: string, offset_bytes: number][] = [
  ["0", 0],
  ["one byte", 1],
  ["1 MiB less a byte", MIB - 1],
  ["1 MiB", MIB],
  ["1 MiB and a byte", MIB + 1],
  ["4 MiB less a byte", 4 * MIB - 1],
  ["4 MiB", 4 * MIB],
  ["4 MiB and a byte", 4 * MIB + 1],
];
const SERVERS: [name: string, faults: Faults][] = [
  ["", {}],
  ["without length", { noLength: true }],
  ["without ranges", { noRanges: true }],
  ["without both", { noLength: true, noRanges: true }],
];
/** Connections break twice; then the file arrives. */
const FAULTS: [name: string, faults: () => Faults][] = [
  ["a good server", () => ({})],
  ["a slow one", () => ({ bytesPerS: 2 * MIB })],
  ["one that is busy", () => ({ refusals: [{ status: 503, times: 1000 }] })],
  ["one that has nothing", () => ({ refusals: [{ status: 404, times: 1000 }] })],
  ["another file from the middle on", () => ({ change: { after_bytes: 2 * MIB, bytes: bytesOf("small") } })],
  ["a claimed length of 2^54", () => ({ claims_bytes: 2 ** 54 })],
  ...CUTS.flatMap(([name, offset]): [string, () => Faults][] => [
    [`cut at ${name}`, () => ({ cuts: [offset, offset] })],
    [`silent from ${name}`, () => ({ stalls: [offset, offset] })],
  ]),
];
const TYPES = ["download", "load", "fit"] as const;

/** Without the long suites every fault meets one request and one kind of server. */
const matrix = (type: (typeof TYPES)[number]): [name: string, faults: () => Faults][] =>
  FAULTS.filter((_, at) => process.env.PITH_FULL || TYPES[at % TYPES.length] === type).flatMap(([fault, faults], at) =>
    SERVERS.filter((_, server) => process.env.PITH_FULL || server === at % SERVERS.length).map(
      ([server, known]): [string, () => Faults] => [`${fault} ${server}`.trim(), () => ({ ...faults(), ...known })],
    ),
  );

for (const type of TYPES) {
  test(
    `a ${type} from servers that break`,
    { tag: type === "download" ? [] : "@long" },
    async ({ page, site, faulty, errors }, info) => {
      test.setTimeout(600_000 * (process.env.PITH_FULL ? 20 : 1));
      errors.expect(FAILED_REQUEST);
      const worker = await openStore(page, site, "opfs");
      await worker.restart(cancellingWorker(site));
      // Silence ends soon, and by itself.
      await configure(worker, { store: "opfs", stallMs: 700 });
      const bytes = bytesOf("modest");
      let [count, rounds] = [0, 0];
      for (const [name, faults] of matrix(type)) {
        rounds += await cancelEverywhere(
          { page, site, faulty, worker },
          `${type}, ${name}`,
          async () => {
            await empty(worker);
            const file = faulty.serve(`/model-${(count += 1)}.gguf`, bytes, faults());
            const source = { type: "url", url: file.url } as const;
            if (type === "download") return { type, source };
            if (type === "fit") return { type, source, backend: "cpu", contextTokens: 64 };
            return { type, name: "a", source, backend: "cpu", contextTokens: 64, force: true };
          },
          name.startsWith("a good server") ? SAMPLE_WHOLE : SAMPLE,
        );
      }
      info.annotations.push({ type: "cancels", description: `${rounds}` });
    },
  );
}

test("requests that ask no server", async ({ page, site, faulty }, info) => {
  test.setTimeout(600_000 * (process.env.PITH_FULL ? 20 : 1));
  const worker = await openStore(page, site, "opfs");
  await worker.restart(cancellingWorker(site));
  await configure(worker, { store: "opfs" });
  const world = { page, site, faulty, worker };
  const file = faulty.serve("/model.gguf", bytesOf("modest"));
  const { name } = (await worker.get("stored", download(file))).model;
  const packaged = (path: string) => ({ type: "packaged", url: site.url(path) }) as const;
  const chat = packaged("/reference/models/qwen2.Q8_0.gguf");
  const load = (name: string, source: Extract<Request, { type: "load" }>["source"]): Request => ({
    type: "load",
    name,
    source,
    backend: "cpu",
    contextTokens: 1024,
  });
  await worker.get("loaded", load("chat", chat));
  await worker.get("loaded", load("base", packaged("/oracle/models/llama-tied.F16.gguf")));
  await worker.get("loaded", load("encoder", packaged("/reference/models/bert-minilm.Q8_0.gguf")));
  const prompt: Prompt = { type: "ids", ids: Array.from({ length: 200 }, (_, at) => 10 + (at % 90)) };
  const sentence = "The miller repairs the old wheel beside the stone bridge before the evening comes. ";
  const blocks = Array.from({ length: 300 }, (_, at) => ({ kind: "paragraph" as const, text: `${at} ${sentence}` }));
  // Another title makes it another page.
  const webPage = (round: number) => ({ title: `Mill ${round}`, blocks });
  const messages = [{ role: "user", content: "Hi" }];
  const requests: [name: string, prepare: (round: number) => Promise<Request> | Request][] = [
    ["load, stored", (round) => load(`stored ${round}`, { type: "stored", name })],
    ["load, packaged", (round) => load(`${round}`, chat)],
    ["load adapter", (round) => adapterRequest(site, round)],
    ["generate", () => ({ type: "generate", model: "chat", prompt, maxTokens: 60 })],
    ["embed", () => ({ type: "embed", model: "encoder", texts: Array(40).fill(sentence) })],
    ["evaluate", () => ({ type: "evaluate", model: "chat", ids: prompt.ids, first: 0 })],
    ["summarize", (round) => ({ type: "summarize", page: webPage(round) })],
    ["ask", (round) => ({ type: "ask", page: webPage(-round), question: "What is repaired?" })],
    ["tokenize", () => ({ type: "tokenize", model: "chat", text: sentence.repeat(500) })],
    ["detokenize", () => ({ type: "detokenize", model: "chat", ids: prompt.ids })],
    ["template", () => ({ type: "applyTemplate", template: { type: "model", model: "chat" }, messages })],
    ["status", () => ({ type: "status" })],
    ["memory", () => ({ type: "memory" })],
    ["pin", (round) => ({ type: "pin", name, pinned: round % 2 === 0 })],
    ["export", () => ({ type: "export", name })],
    ["verify", () => ({ type: "verify", name, repair: false })],
    [
      "repair",
      async () => {
        await worker.ask({ type: "unload", name });
        await worker.get("stored", download(file));
        await flipByte(page, "opfs", name, file.bytes.length - 9);
        return { type: "verify", name, repair: true };
      },
    ],
    [
      "delete",
      async () => {
        await worker.get("stored", download(file));
        return { type: "delete", name };
      },
    ],
  ];
  let rounds = 0;
  for (const [name, prepare] of requests) rounds += await cancelEverywhere(world, name, async (r) => prepare(r));
  info.annotations.push({ type: "cancels", description: `${rounds}` });
});

const adapterRequest = (site: Site, round: number): Request => ({
  type: "loadLora",
  model: "base",
  name: `${round}`,
  source: { type: "packaged", url: site.url("/oracle/lora/all-f32.gguf") },
});
