// Messages that no client would send: valid ones with parts taken away, repeated, exchanged and made absurd. Each has one
// end, and the worker lives. With the long suites 200,000.

import { expect, test } from "../../fixtures.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import { numbers } from "../../helpers/numbers.ts";
import type { Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

const MESSAGES = process.env.PITH_FULL ? 200_000 : 2_000;
const BATCH = 100;

const page = {
  title: "A mill",
  language: "en",
  blocks: [{ kind: "paragraph" as const, text: "A wheel. ".repeat(20) }],
};
const message = { role: "user", content: "Hi" };
const SEEDS: Request[] = [
  { type: "status" },
  { type: "ping" },
  { type: "memory" },
  { type: "cancel", target: 3 },
  { type: "pause", target: 3 },
  { type: "configure", settings: { idleMs: 0, memoryBytes: 1e9, stallMs: 1000 } },
  { type: "pin", name: "a.gguf", pinned: true },
  { type: "delete", name: "a.gguf" },
  { type: "verify", name: "a.gguf", repair: true },
  { type: "fit", source: { type: "stored", name: "a.gguf" }, backend: "cpu", contextTokens: 64 },
  { type: "unload", name: "a" },
  { type: "embed", model: "a", texts: ["a", "b"] },
  { type: "tokenize", model: "a", text: "a", addSpecial: true },
  { type: "detokenize", model: "a", ids: [1, 2, 3], special: true },
  { type: "evaluate", model: "a", ids: [1, 2, 3], first: 1, decode: [4] },
  {
    type: "generate",
    model: "a",
    prompt: { type: "chat", messages: [message] },
    sampling: { temperature: 0.7, topK: 40, topP: 0.9, minP: 0.1, seed: 7 },
    maxTokens: 3,
    stop: ["a"],
    overflow: { type: "stop" },
  },
  { type: "generate", model: "a", prompt: { type: "ids", ids: [1, 2] }, maxTokens: 2 },
  {
    type: "generate",
    model: "a",
    prompt: {
      type: "chat",
      messages: [message],
      tools: [{ name: "f", parameters: '{"type": "object"}', strict: true }],
      mustCall: ["f"],
    },
    maxTokens: 2,
  },
  { type: "detectLanguage", text: "This is a text." },
  {
    type: "applyTemplate",
    template: { type: "text", text: "{{ messages[0].content }}{{ a }}" },
    messages: [message],
    variables: { a: [1, { b: null }] },
    now: { year: 2026, month: 2, day: 3, hour: 4, minute: 5, second: 6 },
  },
  { type: "summarize", page, options: { length: "short" } },
  { type: "ask", page, question: "What is there?", limit: 2 },
];

/** What stands in the place of a value. All of them can be cloned and sent. */
const ABSURD: unknown[] = [
  null,
  undefined,
  true,
  0,
  -1,
  1.5,
  NaN,
  Infinity,
  2 ** 32,
  2 ** 53,
  -(2 ** 31),
  "",
  "\u0000",
  "\uD800",
  "a".repeat(70_000),
  [],
  {},
  [[[[]]]],
  { type: "a" },
  new Date(0),
  new Uint8Array(9),
  10n,
];

type Box = Record<string, unknown>;
const isBox = (value: unknown): value is Box =>
  Array.isArray(value) || (typeof value === "object" && value?.constructor === Object);

/** Every place below a value, as what it is in and under which key. */
function places(value: unknown, found: [Box, string][] = []): [Box, string][] {
  if (!isBox(value)) return found;
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    places(value[key], found);
  }
  return found;
}

function mutated(seed: Request, next: () => number): unknown {
  const whole: Box = { request: structuredClone(seed) };
  for (let changes = next() % 3; changes >= 0; changes -= 1) {
    const all = places(whole.request);
    const [box, key] = all[next() % Math.max(1, all.length)] ?? [whole, "request"];
    const [other, otherKey] = all[next() % Math.max(1, all.length)] ?? [whole, "request"];
    switch (next() % 6) {
      case 0:
        delete box[key];
        break;
      case 1:
        box[key] = structuredClone(other[otherKey]);
        break;
      case 2:
        box[`${key}${next() % 3}`] = structuredClone(ABSURD[next() % ABSURD.length]);
        break;
      case 3:
        box[key] = Array.from({ length: 1 + (next() % 300) }, () => structuredClone(box[key]));
        break;
      default:
        box[key] = structuredClone(ABSURD[next() % ABSURD.length]);
    }
  }
  return whole.request;
}

test("mutated messages each have one end, and the worker lives", async ({ page: tab, site }, info) => {
  test.setTimeout(120_000 + MESSAGES * 60);
  const worker = await RawWorker.open(tab, site);
  const source = { type: "packaged", url: site.url("/reference/models/qwen2.Q8_0.gguf") } as const;
  const load = { type: "load", name: "a", source, backend: "cpu", contextTokens: 64 } as const;
  await worker.get("loaded", load);
  const next = numbers(11);
  const ends = new Map<string, number>();
  for (let sent = 0; sent < MESSAGES; sent += BATCH) {
    if (sent % 20_000 === 0 && sent > 0) console.log(`${sent} messages so far`);
    const requests = Array.from({ length: BATCH }, () => mutated(SEEDS[next() % SEEDS.length]!, next));
    const found = await worker.sendAll(requests);
    for (const [at, codes] of found.entries()) {
      expect(codes, `message ${sent + at}: ${tell(requests[at])}`).toHaveLength(1);
      expect(codes[0], tell(requests[at])).not.toBe("internal");
      ends.set(codes[0]!, (ends.get(codes[0]!) ?? 0) + 1);
    }
    expect(await worker.deaths(), `among the messages from ${sent} on`).toEqual([]);
    // It may have been unloaded, or its memory taken away.
    await worker.get("ok", { type: "configure", settings: { memoryBytes: 2 ** 31, idleMs: 0 } });
    await worker.get("loaded", load);
  }
  const told = [...ends].sort(([, a], [, b]) => b - a).map(([code, count]) => `${count} ${code}`);
  info.annotations.push({ type: "mutations", description: told.join(", ") });
  console.log(told.join(", "));
  expect(ends.size).toBeGreaterThan(4);
  expect((await worker.get("status", { type: "status" })).models).toMatchObject([{ name: "a" }]);
});

const tell = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}n` : one))?.slice(0, 300) ?? String(value);
