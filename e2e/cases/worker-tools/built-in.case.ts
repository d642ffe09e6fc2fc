// Tool calls through the Prompt API in a page, in the shape that Chromium has: the model proposes a call, the page answers it with
// its next prompt. What the model says is made up; template, tokens, parser and API are the real ones.

import { basename, resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import { scriptedModel } from "../../helpers/scripted-model.ts";
import type * as BuiltIn from "../../../web/src/built-in/index.ts";
import { ANSWERS, TEMPLATE } from "./hermes.ts";

test.use({ withExtension: false });

test("a call, its result and an answer, whole and streamed", async ({ page, site }) => {
  const file = scriptedModel("tools", TEMPLATE, ANSWERS);
  site.mount("/client/", resolve(ROOT, "web"));
  await page.goto(site.url("/news/"));
  const seen = await page.evaluate(async (file) => {
    const builtIn = (await import(
      /* @vite-ignore */ `${location.origin}/client/dist/built-in/index.js`
    )) as typeof BuiltIn;
    const { LanguageModel, LanguageModelToolError, LanguageModelToolSuccess, configure } = builtIn;
    configure({ model: { packaged: `/models/${file}` }, load: { backend: "cpu" } });
    const tools = [
      {
        name: "weather",
        description: "Looks it up.",
        inputSchema: { type: "object", properties: { city: { type: "string" } } },
      },
    ];
    const options = {
      expectedInputs: [{ type: "tool-response" }],
      expectedOutputs: [{ type: "text" }, { type: "tool-call" }],
      tools,
    };
    const without = (await LanguageModel.create()).contextUsage;
    const session = await LanguageModel.create(options);
    const declared = session.contextUsage;
    const copy = await session.clone();
    const question = "How is the weather?";
    const asked = await session.measureContextUsage(question);
    const answer = await session.prompt<BuiltIn.PromptResult>(question);
    const afterCall = session.contextUsage;
    if (typeof answer === "string") throw new Error(answer);
    const call = answer.find((part) => part.type === "tool-call")!.value;
    const response = (value: unknown) => [{ role: "user", content: [{ type: "tool-response", value }] }];
    const { callID, name } = call;
    const result = response(
      new LanguageModelToolSuccess({ callID, name, result: [{ type: "text", value: "21 degrees" }] }),
    );
    const resultCost = await session.measureContextUsage(result);
    const said = await session.prompt(result);
    const usage = session.contextUsage;
    // The copy was made before the call: it asks anew, streamed.
    const chunks: BuiltIn.PromptChunk[] = [];
    const reader = copy.promptStreaming<BuiltIn.PromptChunk>(question).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
    const failed = await copy.prompt(
      response(new LanguageModelToolError({ callID, name, errorMessage: "no network" })),
    );
    const errorOf = (promise: Promise<unknown>): Promise<string> =>
      promise.then(
        () => "fulfilled",
        (error: unknown) => (error as Error).name,
      );
    const bad = [
      errorOf(LanguageModel.create({ tools })),
      errorOf(LanguageModel.create({ ...options, tools: [{ ...tools[0]!, inputSchema: { type: "string" } }] })),
      errorOf(LanguageModel.create({ ...options, tools: [tools[0]!, tools[0]!] })),
      errorOf(session.prompt("a", { responseConstraint: { type: "object" } })),
      errorOf(session.prompt([{ role: "user", content: [{ type: "tool-call", value: call }] }])),
      errorOf(session.prompt([{ role: "assistant", content: [{ type: "tool-call", value: call }] }])),
      errorOf(session.prompt(response({ callID, name, result: [{ type: "object", value: document.body }] }))),
      errorOf(session.prompt(response({ callID, name, result: [{ type: "image", value: 1 }] }))),
    ];
    return {
      without,
      declared,
      asked,
      afterCall,
      resultCost,
      usage,
      saidCost: await session.measureContextUsage([{ role: "assistant", content: said }]),
      kinds: answer.map(({ type }) => type),
      text: answer.find((part) => part.type === "text")?.value,
      call: { name, callID, given: call.arguments },
      said,
      chunks: chunks.map((chunk) =>
        typeof chunk === "string" ? chunk : { [chunk.value.name]: chunk.value.arguments },
      ),
      failed,
      bad: await Promise.all(bad),
    };
  }, basename(file));
  expect(seen.without).toBe(0);
  expect(seen.declared, "declarations take part of the context").toBeGreaterThan(20);
  expect(seen.kinds).toEqual(["text", "tool-call"]);
  expect(seen.text).toBe("One moment.");
  expect(seen.call).toMatchObject({ name: "weather", given: { city: "Oslo", days: [1, 2] } });
  expect(seen.call.callID).not.toBe("");
  expect(seen.afterCall).toBeGreaterThan(seen.declared + seen.asked);
  expect(seen.said).toBe("It is warm in Oslo.");
  expect(seen.usage).toBe(seen.afterCall + seen.resultCost + seen.saidCost);
  const texts = seen.chunks.filter((chunk) => typeof chunk === "string");
  expect(texts.join("")).toBe("One moment.");
  expect(seen.chunks.at(-1)).toEqual({ weather: { city: "Oslo", days: [1, 2] } });
  expect(seen.failed).toBe("It is warm in Oslo.");
  expect(seen.bad).toEqual([
    "TypeError",
    "TypeError",
    "TypeError",
    "NotSupportedError",
    "TypeError",
    "NotSupportedError",
    "DataError",
    "NotSupportedError",
  ]);
});
