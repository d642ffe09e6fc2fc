// Each API for sites once, on a real model, in Chromium and in Firefox: what was asked and what came back.
//   npx tsx apis.ts [chromium|firefox]

import { basename, dirname } from "node:path";
import { openClient, serveClient } from "./harness/client.ts";
import { launchFirefox } from "./harness/firefox-extension.ts";
import { launch, type Running } from "./harness/launch.ts";
import { MINILM_FILE, SMOLLM2_FILE } from "./harness/paths.ts";
import type * as BuiltIn from "../web/src/built-in/index.ts";
import type { OpenAI } from "../web/src/openai/index.ts";
import type { rerank as Rerank } from "../web/src/rerank.ts";

const BROWSERS: Record<string, () => Promise<Running>> = {
  chromium: () => launch({ extension: null }),
  firefox: () => launchFirefox(),
};
const only = process.argv[2];

const site = await serveClient({ "/models/": dirname(MINILM_FILE), "/language/": dirname(SMOLLM2_FILE) });

/** Runs in the page: one entry for each API. */
async function useAll(models: { language: string; embedding: string }): Promise<[string, unknown][]> {
  const told: [string, unknown][] = [];
  const use = async (name: string, run: () => Promise<unknown>): Promise<void> => {
    const start_ms = performance.now();
    const value = await run().catch((error: unknown) => ({ error: String(error) }));
    told.push([`${name} (${((performance.now() - start_ms) / 1000).toFixed(1)} s)`, value]);
  };
  const load = <T>(path: string): Promise<T> =>
    import(/* @vite-ignore */ `${location.origin}/client/dist/${path}`) as Promise<T>;
  const { OpenAI: Client } = await load<{ OpenAI: typeof OpenAI }>("openai/index.js");
  const client = await Client.open();
  const { pith } = client;
  const options = { backend: "cpu", contextTokens: 1024 } as const;
  await pith.load("language", { packaged: models.language }, options);
  await pith.load("embedding", { packaged: models.embedding }, options);

  const messages = [{ role: "user" as const, content: "Which color is the sky on a clear day? One short sentence." }];
  const base = { model: "language", messages, temperature: 0, max_completion_tokens: 24 };
  await use("pith.generate", async () => (await pith.generate("language", messages, { maxTokens: 24 }).result).text);
  await use("openai chat.completions", async () => {
    const { choices, usage } = await client.chat.completions.create(base);
    return [choices[0]?.message.content, usage];
  });
  await use("openai chat.completions, stream", async () => {
    const texts: string[] = [];
    for await (const { choices } of await client.chat.completions.create({ ...base, stream: true }))
      texts.push(choices[0]?.delta.content ?? "");
    return texts;
  });
  await use("openai chat.completions, json_schema", async () => {
    const properties = { color: { enum: ["red", "green", "blue"] }, isDay: { type: "boolean" } };
    const schema = { type: "object", properties, required: ["color", "isDay"], additionalProperties: false };
    const json_schema = { name: "sky", schema, strict: true };
    const answer = await client.chat.completions.create({
      ...base,
      response_format: { type: "json_schema", json_schema },
    });
    return answer.choices[0]?.message.content;
  });
  const tool = {
    name: "weather",
    description: "Tells the weather of a city",
    parameters: {
      type: "object",
      properties: { city: { enum: ["Paris", "Rome"] } },
      required: ["city"],
      additionalProperties: false,
    },
  };
  await use("openai chat.completions, tools", async () => {
    const ask = [{ role: "user" as const, content: "What is the weather in Rome?" }];
    const tools = [{ type: "function" as const, function: tool }];
    const answer = await client.chat.completions.create({ ...base, messages: ask, tools, tool_choice: "required" });
    return answer.choices[0]?.message.tool_calls ?? answer;
  });
  await use("openai completions", async () => {
    const answer = await client.completions.create({
      model: "language",
      prompt: "Once upon a time",
      temperature: 0,
      max_tokens: 12,
    });
    return answer.choices[0]?.text;
  });
  await use("openai responses", async () => {
    const answer = await client.responses.create({
      model: "language",
      input: messages[0]!.content,
      temperature: 0,
      max_output_tokens: 24,
    });
    return answer.output_text;
  });
  await use("openai embeddings", async () => {
    const { data, usage } = await client.embeddings.create({
      model: "embedding",
      input: ["a cat", "a kitten", "a bill"],
    });
    const [cat, kitten, bill] = data.map(({ embedding }) => embedding as number[]);
    const cosine = (a: number[] = [], b: number[] = []) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
    return [cat?.length, cosine(cat, kitten).toFixed(3), cosine(cat, bill).toFixed(3), usage];
  });
  await use("openai models.list", async () => (await client.models.list()).data.map(({ id }) => id));
  const { rerank } = await load<{ rerank: typeof Rerank }>("rerank.js");
  await use("rerank", () =>
    rerank(pith, "embedding", "Why does bread go stale?", ["Trains are late.", "Starch crystallises."]),
  );

  const builtIn = await load<typeof BuiltIn>("built-in/index.js");
  builtIn.configure({
    pith,
    model: { packaged: models.language },
    embedder: { packaged: models.embedding },
    load: options,
  });
  const article =
    "The city library of Marrow has opened a department in which nothing can be read. On its shelves lie drills, sewing machines and " +
    "tents: 340 objects that members may borrow for two weeks. The city paid 60,000 euros for them.";
  await use("LanguageModel", async () => {
    const session = await builtIn.LanguageModel.create({ samplingMode: "most-predictable" });
    const answer = await session.prompt("Which color is the sky on a clear day?");
    return [answer, `${session.contextUsage} of ${session.contextWindow} tokens`];
  });
  await use("LanguageModel, responseConstraint", async () => {
    const session = await builtIn.LanguageModel.create({ samplingMode: "most-predictable" });
    return session.prompt("Is the sky blue? Answer with true or false.", { responseConstraint: { type: "boolean" } });
  });
  await use("Summarizer", async () =>
    (await builtIn.Summarizer.create({ type: "tldr", length: "short" })).summarize(article),
  );
  await use("Writer", async () =>
    (await builtIn.Writer.create({ length: "short" })).write("A note that the shop is closed today."),
  );
  await use("Rewriter", async () =>
    (await builtIn.Rewriter.create({ tone: "more-formal" })).rewrite("hey, the shop is closed today!"),
  );
  await use("Translator", async () =>
    (await builtIn.Translator.create({ sourceLanguage: "en", targetLanguage: "fr" })).translate("Good morning."),
  );
  await use("LanguageDetector", async () =>
    (await (await builtIn.LanguageDetector.create()).detect("Le moulin est au bord de la rivière.")).slice(0, 1),
  );
  await use("SemanticEmbedder", async () => {
    const made = await (await builtIn.SemanticEmbedder.create()).embed("a cat");
    return JSON.stringify(made).slice(0, 80);
  });
  await pith.close();
  return told;
}

for (const [name, start] of Object.entries(BROWSERS).filter(([name]) => !only || name === only)) {
  const running = await start();
  const page = await openClient(running.context, site);
  const models = { language: `/language/${basename(SMOLLM2_FILE)}`, embedding: `/models/${basename(MINILM_FILE)}` };
  console.log(`\n${name} ${running.context.browser()?.version() ?? ""}`);
  for (const [api, value] of await page.evaluate(useAll, models)) console.log(`  ${api}: ${JSON.stringify(value)}`);
  await running.close();
}
await site.close();
