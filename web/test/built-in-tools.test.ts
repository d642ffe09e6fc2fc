// Tools of the Prompt API: declarations, calls and results as the worker takes them.
import { expect, it } from "vitest";
import { readPrompt } from "../src/built-in/prompt.js";
import {
  LanguageModelToolCall,
  LanguageModelToolError,
  LanguageModelToolSuccess,
  readTools,
  toToolCall,
} from "../src/built-in/tools.js";

const tool = { name: "find", description: "Finds.", inputSchema: { type: "object", properties: {} } };
const rules = { system: false, prefix: true, types: new Set(["tool-call", "tool-response"]) };

it("takes declarations as the worker has them", () => {
  expect(readTools(undefined, false)).toEqual([]);
  expect(readTools([], false)).toEqual([]);
  const parameters = '{"type":"object","properties":{}}';
  expect(readTools([tool], true)).toEqual([{ name: "find", description: "Finds.", parameters }]);
  expect(() => readTools([tool], false)).toThrow(/expectedOutputs/);
  expect(() => readTools([tool, tool], true)).toThrow(/two tools named "find"/);
  expect(() => readTools([{ ...tool, inputSchema: null }], true)).toThrow(TypeError);
});

it("splits a user's message into results and text", () => {
  const call = new LanguageModelToolCall({ callID: "1", name: "find", arguments: { what: "keys" } });
  const result = [
    { type: "text" as const, value: "here" },
    { type: "object" as const, value: { room: 3 } },
  ];
  const success = new LanguageModelToolSuccess({ callID: "1", name: "find", result });
  const failure = new LanguageModelToolError({ callID: "2", name: "find", errorMessage: "dark" });
  const { messages } = readPrompt(
    [
      { role: "assistant", content: [{ type: "tool-call", value: call }] },
      {
        role: "user",
        content: [
          { type: "tool-response", value: success },
          { type: "tool-response", value: failure },
          { type: "text", value: "Go on." },
        ],
      },
    ],
    rules,
  );
  expect(messages).toEqual([
    { role: "assistant", content: "", toolCalls: [{ id: "1", name: "find", arguments: '{"what":"keys"}' }] },
    { role: "tool", content: 'here\n{"room":3}', toolCallId: "1", name: "find" },
    { role: "tool", content: '{"error":"dark"}', toolCallId: "2", name: "find" },
    { role: "user", content: "Go on." },
  ]);
});

it("refuses what JSON cannot say", () => {
  for (const value of [1n, () => {}, new Map(), Symbol("a"), undefined]) {
    const response = new LanguageModelToolSuccess({ callID: "1", name: "find", result: [{ type: "object", value }] });
    const input = [{ role: "user", content: [{ type: "tool-response", value: response }] }];
    expect(() => readPrompt(input, rules)).toThrow(expect.objectContaining({ name: "DataError" }));
  }
});

it("gives calls with an object of arguments, also where the answer was cut off", () => {
  expect(toToolCall({ id: "1", name: "find", arguments: '{"a":1}' })).toMatchObject({
    callID: "1",
    arguments: { a: 1 },
  });
  expect(toToolCall({ id: "1", name: "find", arguments: '{"a":' }).arguments).toEqual({});
});
