import { expect, it } from "vitest";
import { Stream } from "../src/openai/stream.js";

it("a stream of bytes that is cancelled ends the request at once, not at its next chunk", async () => {
  async function* silent(): AsyncGenerator<string, void, void> {
    yield "a";
    await new Promise(() => {});
  }
  const controller = new AbortController();
  const reader = new Stream(silent(), controller).toReadableStream().getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('"a"\n');
  const wait = () => new Promise((resolve) => setTimeout(resolve, 10));
  void reader.read();
  await wait();
  void reader.cancel();
  await wait();
  expect(controller.signal.aborted).toBe(true);
});
