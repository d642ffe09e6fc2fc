// Tool calls and reasoning through OpenAI's API in a page: a model writes a thought and a call, gets the result, and answers. What
// the model says is made up; template, tokens, parser and API are the real ones.

import { basename, resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import { scriptedModel } from "../../helpers/scripted-model.ts";
import { ANSWERS, TEMPLATE } from "./hermes.ts";
import type { OpenAI } from "../../../web/src/openai/index.ts";

test.use({ withExtension: false });

test("a thought, a call, its result and an answer", async ({ page, site }, info) => {
  const file = scriptedModel("tools", TEMPLATE, ANSWERS);
  site.mount("/client/", resolve(ROOT, "web"));
  await page.goto(site.url("/news/"));
  const seen = await page.evaluate(async (file) => {
    const { OpenAI: Client } = (await import(/* @vite-ignore */ `${location.origin}/client/dist/openai/index.js`)) as {
      OpenAI: typeof OpenAI;
    };
    const client = await Client.open();
    await client.pith.load("language", { packaged: `/models/${file}` }, { backend: "cpu" });
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const tools = [
      { type: "function" as const, function: { name: "weather", description: "Looks it up.", parameters } },
    ];
    const messages = [{ role: "user" as const, content: "How is the weather?" }];
    const base = { model: "language", tools, temperature: 0 };
    const whole = (await client.chat.completions.create({ ...base, messages })).choices[0]!;
    const chunks = [];
    for await (const chunk of await client.chat.completions.create({ ...base, messages, stream: true }))
      chunks.push(...chunk.choices);
    if (!whole.message.tool_calls) throw new Error(JSON.stringify(whole));
    const call = whole.message.tool_calls[0]!;
    const result = { role: "tool" as const, content: "21 degrees", tool_call_id: call.id };
    const after = await client.chat.completions.create({
      ...base,
      messages: [...messages, { role: "assistant" as const, content: null, tool_calls: [call] }, result],
    });
    const prompt = await client.pith.applyTemplate("language", messages, { variables: { tools } });
    const unknown = await client.chat.completions.create({
      ...base,
      messages,
      tools: [{ type: "function", function: { name: "time" } }],
    });
    return { whole, chunks, after: after.choices[0]!, prompt, unknown: unknown.choices[0]! };
  }, basename(file));
  info.annotations.push({ type: "call", description: JSON.stringify(seen.whole.message.tool_calls) });
  expect(seen.prompt, "the tools are in the prompt").toContain('"weather"');
  expect(seen.whole).toMatchObject({
    finish_reason: "tool_calls",
    message: { content: "One moment.", reasoning_content: "The weather must be looked up." },
  });
  const [call, ...others] = seen.whole.message.tool_calls!;
  expect(others).toEqual([]);
  expect(call).toMatchObject({ type: "function", function: { name: "weather" } });
  expect(JSON.parse(call!.function.arguments)).toEqual({ city: "Oslo", days: [1, 2] });
  // Streamed: the same in pieces, no marker among them.
  const deltas = seen.chunks.map(({ delta }) => delta);
  const join = (pick: (delta: (typeof deltas)[number]) => string | null | undefined) =>
    deltas.map((delta) => pick(delta) ?? "").join("");
  expect(join(({ content }) => content)).toBe("One moment.");
  expect(join(({ reasoning_content }) => reasoning_content)).toBe("The weather must be looked up.");
  expect(join(({ tool_calls }) => tool_calls?.[0]?.function?.name)).toBe("weather");
  const pieces = deltas.flatMap(({ tool_calls }) => tool_calls?.[0]?.function?.arguments || []);
  expect(JSON.parse(pieces.join(""))).toEqual({ city: "Oslo", days: [1, 2] });
  expect(pieces.length, "arguments arrive as they are written").toBeGreaterThan(1);
  expect(seen.chunks.at(-1)?.finish_reason).toBe("tool_calls");
  expect(seen.after).toMatchObject({ finish_reason: "stop", message: { content: "It is warm in Oslo." } });
  // A call of a tool that there is not is no call.
  expect(seen.unknown.message.tool_calls).toBeUndefined();
  expect(seen.unknown.message.content).toContain("<tool_call>");
});
