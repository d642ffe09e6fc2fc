// OpenAI's API in a page, with a real model: texts, chunks, log probabilities, biases and seeds are what the model itself gives.

import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { MINILM_FILE, ROOT, SMOLLM2_FILE } from "../../harness/paths.ts";
import type { Site } from "../../harness/server.ts";
import type { OpenAI } from "../../../web/src/openai/index.ts";

test.use({ withExtension: false });
test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");

type Global = { client: OpenAI };

const MESSAGES = [{ role: "user" as const, content: "Name the three primary colors in one short sentence." }];

/** A page with a client that has loaded both models. */
async function open(page: Page, site: Site): Promise<void> {
  site.mount("/client/", resolve(ROOT, "web"));
  await page.goto(site.url("/news/"));
  const models = { language: basename(SMOLLM2_FILE), embedding: basename(MINILM_FILE) };
  await page.evaluate(async (models) => {
    const { OpenAI: Client } = (await import(/* @vite-ignore */ `${location.origin}/client/dist/openai/index.js`)) as {
      OpenAI: typeof OpenAI;
    };
    const client = await Client.open();
    for (const [name, file] of Object.entries(models))
      await client.pith.load(name, { packaged: `/models/${file}` }, { backend: "cpu", contextTokens: 512 });
    (globalThis as unknown as Global).client = client;
  }, models);
}

test("documents are ordered by what they mean", async ({ page, site }) => {
  await open(page, site);
  const ranked = await page.evaluate(async () => {
    const { rerank } = (await import(/* @vite-ignore */ `${location.origin}/client/dist/rerank.js`)) as {
      rerank: (typeof import("../../../web/src/rerank.ts"))["rerank"];
    };
    const documents = [
      "The mill beside the river was built in 1832.",
      "Starch crystallises while bread cools, so that the loaf becomes firm and dry.",
      "Our train leaves at noon.",
    ];
    return rerank((globalThis as unknown as Global).client.pith, "embedding", "Why does bread go stale?", documents);
  });
  expect(ranked.map(({ index }) => index)[0]).toBe(1);
  expect(ranked).toHaveLength(3);
});

test("texts, chunks and log probabilities are the model's", async ({ page, site }, info) => {
  test.setTimeout(300_000);
  await open(page, site);
  const seen = await page.evaluate(async (messages) => {
    const { client } = globalThis as unknown as Global;
    const base = { model: "language", messages, temperature: 0, max_completion_tokens: 24 };
    const whole = await client.chat.completions.create({ ...base, logprobs: true, top_logprobs: 3 });
    const plain = await client.pith.generate("language", messages, { maxTokens: 24 }).result;
    let streamed = "";
    let usage = null;
    const chunks = await client.chat.completions.create({
      ...base,
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const chunk of chunks) {
      streamed += chunk.choices[0]?.delta.content ?? "";
      usage = chunk.usage ?? usage;
    }
    const prompt = await client.pith.applyTemplate("language", messages);
    const ids = await client.pith.tokenize("language", prompt, { parseSpecial: true });
    const { cols, values } = await client.pith.evaluate("language", ids, { first: ids.length - 1 });
    const response = await client.responses.create({
      model: "language",
      input: messages[0]!.content,
      temperature: 0,
      max_output_tokens: 24,
    });
    return {
      whole,
      plain: plain.text,
      firstId: plain.ids[0] ?? -1,
      tokens: plain.ids.length,
      streamed,
      usage,
      promptTokens: ids.length,
      logits: Array.from(values.subarray(0, cols)),
      response,
      models: (await client.models.list()).data.map(({ id }) => id),
    };
  }, MESSAGES);
  info.annotations.push({ type: "text", description: seen.plain });
  const choice = seen.whole.choices[0]!;
  expect(seen.plain.length).toBeGreaterThan(10);
  expect(choice.message.content).toBe(seen.plain);
  expect(seen.streamed).toBe(seen.plain);
  expect(seen.response.output_text).toBe(seen.plain);
  expect(seen.usage).toMatchObject({ prompt_tokens: seen.promptTokens, completion_tokens: seen.tokens });
  expect(seen.models.sort()).toEqual(["embedding", "language"]);

  // The first token's, worked out from the logits of the same prompt.
  const logprobs = choice.logprobs?.content ?? [];
  expect(logprobs.length).toBe(seen.tokens);
  const best = Math.max(...seen.logits);
  const logSum = best + Math.log(seen.logits.reduce((sum, logit) => sum + Math.exp(logit - best), 0));
  expect(logprobs[0]!.logprob).toBeCloseTo(seen.logits[seen.firstId]! - logSum, 2);
  for (const { token, logprob, top_logprobs } of logprobs) {
    expect(top_logprobs.length).toBe(3);
    expect(top_logprobs[0], "the greedy choice is the most probable token").toMatchObject({ token, logprob });
  }
});

test("biases, penalties, seeds and prefixes change what is written", { tag: "@long" }, async ({ page, site }) => {
  test.setTimeout(300_000);
  await open(page, site);
  const seen = await page.evaluate(async (messages) => {
    const { client } = globalThis as unknown as Global;
    const write = async (change: object): Promise<string> => {
      const params = { model: "language", messages, max_completion_tokens: 20, ...change };
      const answer = await client.chat.completions.create(params);
      return answer.choices.map(({ message }) => message.content).join("|");
    };
    const { ids } = await client.pith.generate("language", messages, { maxTokens: 1 }).result;
    const begun = [...messages, { role: "assistant", content: "The three colors are" }];
    return {
      greedy: await write({ temperature: 0 }),
      without: await write({ temperature: 0, logit_bias: { [String(ids[0])]: -100 } }),
      penalized: await write({ temperature: 0, frequency_penalty: 2, presence_penalty: 2 }),
      seeded: [await write({ temperature: 0.9, seed: 7 }), await write({ temperature: 0.9, seed: 7 })],
      drawn: [await write({ temperature: 0.9 }), await write({ temperature: 0.9 }), await write({ temperature: 0.9 })],
      two: await write({ temperature: 0.9, seed: 7, n: 2 }),
      continued: (
        await client.pith.generate("language", { type: "chat", messages: begun, continueLast: true }, { maxTokens: 12 })
          .result
      ).text,
      completed: (await client.completions.create({ model: "language", prompt: "1, 2, 3, 4,", temperature: 0 }))
        .choices[0]?.text,
    };
  }, MESSAGES);
  expect(seen.without).not.toBe(seen.greedy);
  expect(seen.without.slice(0, 1)).not.toBe("");
  expect(seen.penalized).not.toBe(seen.greedy);
  expect(seen.seeded[0]).toBe(seen.seeded[1]);
  // Without a seed each call draws its own.
  expect(new Set(seen.drawn).size).toBeGreaterThan(1);
  const [first, second] = seen.two.split("|");
  expect(first).toBe(seen.seeded[0]);
  expect(second).not.toBe(first);
  expect(seen.continued).not.toMatch(/^\s*The three colors are/);
  expect(seen.continued.length).toBeGreaterThan(5);
  expect(seen.completed).toContain("5");
});

test("embeddings are the vectors of the model", async ({ page, site }) => {
  await open(page, site);
  const { cosine, bytes } = await page.evaluate(async () => {
    const { client } = globalThis as unknown as Global;
    const texts = ["A cat sleeps on the sofa.", "A kitten naps on the couch."];
    const { data } = await client.embeddings.create({ model: "embedding", input: texts });
    const packed = await client.embeddings.create({ model: "embedding", input: texts, encoding_format: "base64" });
    const [a, b] = data.map(({ embedding }) => embedding);
    return {
      cosine: a!.reduce((sum, value, at) => sum + value * b![at]!, 0),
      bytes: atob(packed.data[0]!.embedding as unknown as string).length / a!.length,
    };
  });
  expect(cosine).toBeGreaterThan(0.5);
  expect(cosine).toBeLessThan(0.999);
  expect(bytes).toBe(4);
});

test("tools are refused with the reason where the model's template writes no calls", async ({ page, site }) => {
  await open(page, site);
  const error = await page.evaluate(async (messages) => {
    const { client } = globalThis as unknown as Global;
    const tools = [{ type: "function" as const, function: { name: "look", parameters: { type: "object" } } }];
    const asked = client.chat.completions.create({ model: "language", messages, tools });
    return asked.then(
      () => null,
      (error: { status: number; detail: string; message: string }) => ({ ...error, message: error.message }),
    );
  }, MESSAGES);
  expect(error).toMatchObject({ status: 400, message: "This model does not support the request." });
  expect(error?.detail).toContain("a model whose chat template writes tool calls");
});
