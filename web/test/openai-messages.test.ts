import { describe, expect, it } from "vitest";
import { messages } from "../src/openai/params.js";

describe("the name of who speaks", () => {
  it.each(["system", "user", "assistant"])("is taken from a message of the role %s", (role) =>
    expect(messages([{ role, name: "Ada", content: "Hi." }])).toEqual([{ role, name: "Ada", content: "Hi." }]),
  );

  it("is taken from a result, and may be null", () => {
    const result = { role: "tool", tool_call_id: "1", content: "4" };
    expect(messages([{ ...result, name: "add" }])).toEqual([
      { role: "tool", name: "add", toolCallId: "1", content: "4" },
    ]);
    expect(messages([{ ...result, name: null }])).toEqual([{ role: "tool", toolCallId: "1", content: "4" }]);
  });

  it("is text", () => expect(() => messages([{ role: "user", name: 7, content: "Hi." }])).toThrow(/name/));
});
