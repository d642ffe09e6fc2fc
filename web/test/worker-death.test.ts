import { afterEach, expect, it, vi } from "vitest";
import { Channel } from "../src/channel.js";
import { Pith } from "../src/index.js";
import { PROTOCOL_VERSION } from "../src/protocol.gen.js";

afterEach(() => void vi.unstubAllGlobals());

/** Only the events of a Worker: what happens when its script throws or cannot be loaded. */
class Dying extends EventTarget {
  terminated = false;
  postMessage(): void {}
  terminate(): void {
    this.terminated = true;
  }
  say(event: object): void {
    const data = { version: PROTOCOL_VERSION, id: 0, event };
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
  die(message: string): void {
    this.dispatchEvent(Object.assign(new Event("error", { cancelable: true }), { message }));
  }
}

it.each([
  ["Uncaught RuntimeError: unreachable", true, "worker_died"],
  ["Uncaught SyntaxError: Cannot use import statement outside a module", false, "worker_start"],
  ["", false, "worker_start"],
])("an error event (%j, has answered: %j) rejects what is open with %s", async (message, hasAnswered, code) => {
  const worker = new Dying();
  const channel = new Channel(worker as unknown as Worker);
  if (hasAnswered) worker.say({ type: "begun" });
  const asked = channel.call({ type: "status" });
  worker.die(message);
  await expect(asked).rejects.toMatchObject({ code, detail: expect.stringContaining(message) });
  expect(worker.terminated).toBe(true);
  expect(channel.ended?.code).toBe(code);
});

it("a message that cannot be read is the end of a worker", async () => {
  const worker = new Dying();
  const channel = new Channel(worker as unknown as Worker);
  const asked = channel.call({ type: "status" });
  worker.dispatchEvent(new Event("messageerror"));
  await expect(asked).rejects.toMatchObject({ code: "worker_died" });
  expect(worker.terminated).toBe(true);
});

it("a message that cannot be cloned rejects its request alone", async () => {
  const { port1, port2 } = new MessageChannel();
  const channel = new Channel(port1);
  const page = { title: (() => {}) as unknown as string, description: null, language: null, blocks: [] };
  await expect(channel.call({ type: "ask", page, question: "?", limit: null })).rejects.toMatchObject({
    code: "bad_argument",
    detail: expect.stringContaining("DataCloneError"),
  });
  expect(channel.ended).toBeNull();
  port2.close();
  port1.close();
});

it("a worker that does not answer is not waited for", async () => {
  const worker = new Dying();
  const opened = Pith.open({ endpoint: worker as unknown as Worker, timeoutMs: 20 });
  await expect(opened).rejects.toMatchObject({ code: "worker_start", detail: expect.stringContaining("20 ms") });
  expect(worker.terminated).toBe(true);
});

it("the end of its lock is the end of a worker", async () => {
  const request = vi.fn(async (_name: string, ...[options, granted]: unknown[]) =>
    typeof options === "function" ? options() : (granted as (lock: null) => unknown)(null),
  );
  vi.stubGlobal("navigator", { locks: { request } });
  const worker = new Dying();
  const channel = new Channel(worker as unknown as Worker);
  const asked = channel.call({ type: "status" });
  expect(request).not.toHaveBeenCalled();
  worker.say({ type: "alive", lock: "pith alive 1" });
  await expect(asked).rejects.toMatchObject({ code: "worker_died" });
  expect(request).toHaveBeenCalledWith("pith alive 1", expect.any(Function));
});

it("a lock that is free while its worker lives says nothing: the site's data were cleared", async () => {
  const request = vi.fn(async (_name: string, ...[options, granted]: unknown[]) =>
    typeof options === "function" ? options() : (granted as (lock: object) => unknown)({}),
  );
  vi.stubGlobal("navigator", { locks: { request } });
  const worker = new Dying();
  const channel = new Channel(worker as unknown as Worker);
  worker.say({ type: "alive", lock: "pith alive 1" });
  await request.mock.results[0]!.value;
  expect(channel.ended).toBeNull();
  expect(worker.terminated).toBe(false);
});
