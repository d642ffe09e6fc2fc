// Calls that must be made, and strict tools, through OpenAI's API in a page: the model wants to say something else. Template, tokens,
// grammar, parser and API are the real ones.

import { basename, resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import { scriptedModel } from "../../helpers/scripted-model.ts";
import type { OpenAI } from "../../../web/src/openai/index.ts";

test.use({ withExtension: false });

/** Calls as Hermes and Qwen write them. */
const TEMPLATE = `{% for tool in tools or [] %}{{ tool | tojson }}
{% endfor %}{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content or '' }}{% for call in m.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% if 'call' in messages[-1].content %}\t{% endif %}{% endif %}`;

/** A text; a call whose argument the schema does not have. */
const ANSWERS = {
  "\n": ["It is ", "warm."],
  "\t": ["One moment.\n", "<tool_call>\n", '{"name": "weather", "arguments": {"city": "', 'Paris"}}', "\n</tool_call>"],
};

test("a call that must be made is made, with arguments that meet the schema", async ({ page, site }, info) => {
  const file = scriptedModel("must-call", TEMPLATE, ANSWERS);
  site.mount("/client/", resolve(ROOT, "web"));
  await page.goto(site.url("/news/"));
  const seen = await page.evaluate(async (file) => {
    const { OpenAI: Client } = (await import(/* @vite-ignore */ `${location.origin}/client/dist/openai/index.js`)) as {
      OpenAI: typeof OpenAI;
    };
    const client = await Client.open();
    await client.pith.load("language", { packaged: `/models/${file}` }, { backend: "cpu" });
    const cities = (names: string[]) => ({
      type: "object",
      properties: { city: { enum: names } },
      required: ["city"],
      additionalProperties: false,
    });
    const of = (name: string, parameters: Record<string, unknown>, strict = false) => ({
      type: "function" as const,
      function: { name, parameters, strict },
    });
    const tools = [of("weather", cities(["Oslo"])), of("time", cities(["Rome"]))];
    const ask = async (content: string, more: object) => {
      const messages = [{ role: "user" as const, content }];
      const base = { model: "language", temperature: 0, max_completion_tokens: 600, messages };
      const { choices } = await client.chat.completions.create({ ...base, tools, ...more });
      const { message, finish_reason: end } = choices[0]!;
      const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: text } }) => [
        name,
        JSON.parse(text) as unknown,
      ]);
      return { content: message.content, calls, end };
    };
    const failure = (promise: Promise<unknown>) =>
      promise.then(
        () => "fulfilled",
        (error: unknown) => {
          const { status, code, message } = error as { status: number; code: string; message: string };
          return { status, code, message };
        },
      );
    const named = { type: "function", function: { name: "time" } };
    const response = await client.responses.create({
      model: "language",
      temperature: 0,
      max_output_tokens: 600,
      input: "How is it?",
      tools: [{ type: "function", name: "weather", parameters: cities(["Oslo"]), strict: true }],
      tool_choice: { type: "function", name: "weather" },
    });
    const unique = of("f", { type: "object", properties: { a: { type: "array", uniqueItems: true } } });
    return {
      free: await ask("How is it?", {}),
      required: await ask("How is it?", { tool_choice: "required", parallel_tool_calls: false }),
      named: await ask("How is it?", { tool_choice: named }),
      loose: await ask("Please call.", {}),
      strict: await ask("Please call.", { tools: [of("weather", cities(["Oslo"]), true)] }),
      output: response.output,
      unusable: await failure(ask("How is it?", { tools: [unique], tool_choice: "required" })),
      stop: await failure(ask("How is it?", { tool_choice: "required", stop: "END" })),
    };
  }, basename(file));
  info.annotations.push({ type: "calls", description: JSON.stringify([seen.required, seen.named, seen.strict]) });
  expect(seen.free).toEqual({ content: "It is warm.", calls: [], end: "stop" });
  expect(seen.required.content).toBeNull();
  expect(seen.required.end).toBe("tool_calls");
  expect(seen.required.calls).toHaveLength(1);
  const [name, given] = seen.required.calls[0]!;
  expect(given).toEqual({ city: name === "weather" ? "Oslo" : "Rome" });
  expect(seen.named).toEqual({ content: null, calls: [["time", { city: "Rome" }]], end: "tool_calls" });
  // A tool that is not strict is called with what the model says.
  expect(seen.loose.calls).toEqual([["weather", { city: "Paris" }]]);
  expect(seen.strict).toEqual({ content: "One moment.", calls: [["weather", { city: "Oslo" }]], end: "tool_calls" });
  expect(seen.output).toMatchObject([{ type: "function_call", name: "weather" }]);
  expect(seen.unusable).toMatchObject({ status: 400, code: "invalid_value" });
  expect(seen.stop).toMatchObject({ status: 400, code: "invalid_value" });
});
