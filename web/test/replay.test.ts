import { describe, expect, it } from "vitest";
import type { Event, MessageDelta } from "../src/protocol.gen.js";
import { Replay } from "../src/shared/replay.js";
import type { Sent } from "../src/shared/wire.js";

const begun = (): Replay => {
  const request = { type: "generate", model: "m", prompt: { type: "chat", messages: [], parse: true } };
  const replay = new Replay({ version: 1, id: 1, request } as unknown as Sent);
  replay.repeat();
  return replay;
};
const token = (text: string, deltas: MessageDelta[] = []): Event => ({ type: "token", text, logprobs: [], deltas });
const content = (text: string): MessageDelta => ({ type: "content", text });

describe("a generation in a shared worker", () => {
  it("passes on what its text was taken apart into", () => {
    const replay = begun();
    const first = token("<think>a", [{ type: "reasoning", text: "a" }]);
    expect(replay.take(first)).toEqual(first);
    expect(replay.take(token("", [content("b")]))).toEqual(token("", [content("b")]));
  });

  it("tells each part once when another worker repeats it, under the ids of the first", () => {
    const replay = begun();
    const call = (id: string): MessageDelta => ({ type: "toolCall", index: 0, id, name: "f" });
    const args = (text: string): MessageDelta => ({ type: "arguments", index: 0, text });
    const end: MessageDelta = { type: "toolCallEnd", index: 0 };
    replay.take(token("Hm. ", [content("Hm."), call("a"), args('{"x"')]));
    replay.repeat();
    expect(replay.take(token("Hm", [content("Hm")]))).toBeNull();
    expect(replay.take(token(". <call>", [content("."), call("b"), args('{"x": 1}'), end]))).toEqual(
      token("<call>", [args(": 1}"), end]),
    );
    const toolCalls = [{ id: "b", name: "f", arguments: '{"x": 1}' }];
    const message = { content: "Hm.", reasoning: "", toolCalls };
    const result = { type: "text", text: "Hm. <call>", message };
    expect(replay.take({ type: "done", result } as unknown as Event)).toMatchObject({
      result: { message: { toolCalls: [{ id: "a" }] } },
    });
  });
});
