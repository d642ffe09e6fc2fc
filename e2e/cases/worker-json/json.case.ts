// Texts under a format: JSON that meets a schema, with trained and made models, greedy and sampled; what is refused; the module
// that is fetched for it.

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ROOT, SMOLLM2_FILE } from "../../harness/paths.ts";
import { endings, RawWorker } from "../../harness/raw-worker.ts";
import type { Format, Outcome, Prompt, Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

const SCHEMAS = {
  person: {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1, maxLength: 20 },
      age: { type: "integer", minimum: 0, maximum: 150 },
      color: { enum: ["red", "green", "blue"] },
    },
    required: ["name", "age", "color"],
    additionalProperties: false,
  },
  numbers: { type: "array", items: { type: "integer", minimum: -9, maximum: 9 }, minItems: 3, maxItems: 5 },
  constant: { const: { kind: "a constant that is longer than one token", values: [1, null, true] } },
  event: {
    type: "object",
    properties: { date: { type: "string", format: "date" }, place: { anyOf: [{ type: "null" }, { const: "here" }] } },
    required: ["date", "place"],
    additionalProperties: false,
  },
  list: {
    $defs: {
      node: {
        type: "object",
        properties: { v: { type: "boolean" }, next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
        required: ["v", "next"],
        additionalProperties: false,
      },
    },
    $ref: "#/$defs/node",
  },
} as const;

const ajv = new Ajv2020();
addFormats.default(ajv);

type Text = Extract<Outcome, { type: "text" }>;

/** Fails where a text that ended by itself does not meet its schema. True where it ended by itself. */
function check(schema: object, { text, finishReason }: Text): boolean {
  if (finishReason !== "stop") return false;
  expect(ajv.validate(schema, JSON.parse(text)), `${text}: ${ajv.errorsText()}`).toBe(true);
  return true;
}

const write = (format: Format, options: Partial<Extract<Request, { type: "generate" }>> = {}) =>
  ({
    type: "generate",
    model: "a",
    prompt: { type: "text", text: "Somebody in JSON:" },
    maxTokens: 150,
    format,
    ...options,
  }) satisfies Request;

test("a trained model writes what schemas ask for", { tag: "@long" }, async ({ page, site }, info) => {
  test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");
  test.setTimeout(400_000);
  const worker = await RawWorker.open(page, site);
  const source = { type: "packaged", url: site.url(`/models/${basename(SMOLLM2_FILE)}`) } as const;
  await worker.get("loaded", { type: "load", name: "a", source, backend: "cpu", contextTokens: 512 });
  expect(site.requests).not.toContain("GET /pith/wasm/grammar.wasm");
  const content = "Invent a person. Answer in JSON with name, age and color.";
  const prompt: Prompt = { type: "chat", messages: [{ role: "user", content }] };
  let ended = 0;
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    for (const sampling of [{}, { temperature: 1, seed: 5 }, { temperature: 1, seed: 6 }]) {
      const format = { type: "jsonSchema", schema } as const;
      const { events, result } = await worker.ask(write(format, { prompt, sampling }));
      if (result?.type !== "text") throw new Error(`${name}: no text`);
      const streamed = events.flatMap((event) => (event.type === "token" ? [event.text] : [])).join("");
      expect(streamed).toBe(result.text);
      ended += Number(check(schema, result));
      info.annotations.push({ type: name, description: `${result.finishReason}: ${result.text}` });
    }
  }
  expect(ended).toBeGreaterThanOrEqual(12);
  const logprobs = await worker.get("text", write({ type: "jsonSchema", schema: SCHEMAS.numbers }, { logprobs: 2 }));
  check(SCHEMAS.numbers, logprobs);
  expect(logprobs.logprobs).toHaveLength(logprobs.ids.length);
  const constant = await worker.get("text", write({ type: "jsonSchema", schema: SCHEMAS.constant }));
  expect(JSON.parse(constant.text)).toEqual(SCHEMAS.constant.const);
  const object = await worker.get("text", write({ type: "json" }, { prompt }));
  if (object.finishReason === "stop") expect(JSON.parse(object.text)).toBeInstanceOf(Object);
  const cut = await worker.get("text", write({ type: "jsonSchema", schema: SCHEMAS.person }, { maxTokens: 3 }));
  expect(cut).toMatchObject({ finishReason: "length" });
  expect(cut.ids).toHaveLength(3);
  const day = await worker.get("text", write({ type: "regex", pattern: "^(Mon|Tues)day, \\d{2}$" }));
  expect(day).toMatchObject({ finishReason: "stop", text: expect.stringMatching(/^(Mon|Tues)day, \d{2}$/) });
  const grammar = 'start: "<" name ">"\nname: /[a-z]{3,6}/';
  expect((await worker.get("text", write({ type: "lark", grammar }))).text).toMatch(/^<[a-z]{3,6}>$/);
  // Fetched once.
  expect(site.requests.filter((one) => one === "GET /pith/wasm/grammar.wasm")).toHaveLength(1);
});

const NO_WEBGPU = "Firefox has no WebGPU on Linux";

for (const backend of ["cpu", "webgpu", "webgl2"] as const) {
  test(
    `made models keep to schemas on ${backend}`,
    { tag: backend === "cpu" ? [] : "@long" },
    async ({ page, site, browserName }) => {
      test.skip(backend === "webgpu" && browserName === "firefox", NO_WEBGPU);
      test.setTimeout(600_000);
      // A software GPU compiles the kernels of a model in silence.
      const worker = await RawWorker.open(page, site, 300_000);
      for (const model of ["models/llama32.F16.gguf", "models/lfm2.Q8_0.gguf"]) {
        const source = { type: "packaged", url: site.url(`/reference/${model}`) } as const;
        await worker.get("loaded", { type: "load", name: "a", source, backend, contextTokens: 512 });
        let ended = 0;
        for (const schema of Object.values(SCHEMAS)) {
          for (const sampling of [{}, { temperature: 1, seed: 5 }])
            ended += Number(
              check(schema, await worker.get("text", write({ type: "jsonSchema", schema }, { sampling }))),
            );
        }
        expect(ended, model).toBeGreaterThanOrEqual(4);
      }
    },
  );
}

test(
  "greedy choice is the same on the CPU and on a GPU that takes choices back",
  { tag: "@long" },
  async ({ page, site, browserName }) => {
    test.skip(browserName === "firefox", NO_WEBGPU);
    test.setTimeout(600_000);
    const worker = await RawWorker.open(page, site, 300_000);
    const texts: string[] = [];
    for (const backend of ["cpu", "webgpu"] as const) {
      const source = { type: "packaged", url: site.url("/reference/models/llama32.F16.gguf") } as const;
      await worker.get("loaded", { type: "load", name: "a", source, backend, contextTokens: 512 });
      const format = { type: "jsonSchema", schema: SCHEMAS.person } as const;
      texts.push((await worker.get("text", write(format, { maxTokens: 60 }))).text);
    }
    expect(texts[1]).toBe(texts[0]);
  },
);

test("what is no format is refused; a text under a format is cancelled", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const source = { type: "packaged", url: site.url("/reference/models/llama32.F16.gguf") } as const;
  await worker.get("loaded", { type: "load", name: "a", source, backend: "cpu", contextTokens: 4096 });
  let deep: object = {};
  for (let depth = 0; depth < 80; depth++) deep = { items: deep };
  const rows: [Request, string][] = [
    [write({ type: "jsonSchema", schema: { type: "colour" } }), "bad_format"],
    [write({ type: "jsonSchema", schema: 3 }), "bad_format"],
    [write({ type: "jsonSchema", schema: { $ref: "#/nowhere" } }), "bad_format"],
    [write({ type: "regex", pattern: "(" }), "bad_format"],
    [write({ type: "lark", grammar: "start: nothing" }), "bad_format"],
    [write({ type: "jsonSchema", schema: deep }), "format_too_complex"],
    [write({ type: "jsonSchema", schema: { const: "a".repeat(2 << 20) } }), "format_too_complex"],
    [write({ type: "regex", pattern: "a".repeat(1 << 17) }), "format_too_complex"],
    [write({ type: "json" }, { stop: ["}"] }), "bad_message"],
    [{ ...write({ type: "json" }), format: { type: "xml" } as unknown as Format }, "bad_message"],
  ];
  for (const [request, code] of rows)
    expect((await worker.ask(request)).error?.code, JSON.stringify(request).slice(0, 120)).toBe(code);

  const endless = write({ type: "regex", pattern: "[a-z ]+Z{5000}" }, { maxTokens: 4000 });
  await worker.cancelAt("token");
  const { error, events } = await worker.ask(endless);
  expect(error?.code).toBe("cancelled");
  expect(endings(events)).toBe(1);
  check(SCHEMAS.numbers, await worker.get("text", write({ type: "jsonSchema", schema: SCHEMAS.numbers })));
});

test("a module that is not served fails the request, and is fetched again", async ({ page, site, errors }) => {
  errors.expect(/404/);
  let isServed = false;
  const module = await readFile(resolve(ROOT, "web/dist/wasm/grammar.wasm"));
  site.handle("/pith/wasm/grammar.wasm", (_, response) => {
    if (isServed) response.setHeader("content-type", "application/wasm").end(module);
    else response.writeHead(404).end();
  });
  const worker = await RawWorker.open(page, site);
  const source = { type: "packaged", url: site.url("/reference/models/llama32.F16.gguf") } as const;
  await worker.get("loaded", { type: "load", name: "a", source, backend: "cpu" });
  const { error } = await worker.ask(write({ type: "json" }));
  expect(error?.code).toBe("grammar_unavailable");
  expect(error?.detail).toContain("grammar.wasm");
  isServed = true;
  expect((await worker.ask(write({ type: "jsonSchema", schema: SCHEMAS.numbers }))).error).toBeUndefined();
});
