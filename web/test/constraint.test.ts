import { expect, it } from "vitest";
import { readConstraint, tellConstraint } from "../src/built-in/constraint.js";

it("reads schemas and regular expressions", () => {
  expect(readConstraint(undefined)).toBeNull();
  expect(readConstraint(null)).toBeNull();
  expect(readConstraint({ type: "object", left: undefined })).toEqual({
    type: "jsonSchema",
    schema: { type: "object" },
  });
  expect(readConstraint(/^a\/\d+$/)).toEqual({ type: "regex", pattern: "^a\\/\\d+$" });
  expect(readConstraint(/a/u)).toEqual({ type: "regex", pattern: "a" });
});

it("refuses what is neither", () => {
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  expect(() => readConstraint(cycle)).toThrow(expect.objectContaining({ name: "NotSupportedError" }));
  expect(() => readConstraint("a" as unknown as object)).toThrow(TypeError);
  expect(() => readConstraint(/a/i)).toThrow(/flags "i"/);
});

it("tells the model what it has to keep to", () => {
  const user = { role: "user", content: "Who?" };
  const prefix = { role: "assistant", content: "{" };
  const format = { type: "jsonSchema", schema: { type: "object" } } as const;
  const turns = { messages: [user, prefix], hasPrefix: true };
  expect(tellConstraint(turns, null)).toBe(turns);
  const content = 'Who?\n\nAnswer in JSON that meets this schema: {"type":"object"}';
  expect(tellConstraint(turns, format)).toEqual({ messages: [{ ...user, content }, prefix], hasPrefix: true });
});
