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
  die(message: string): void {
    this.dispatchEvent(Object.assign(new Event("error", { cancelable: true }), { message }));
  }
}

it.each([
  ["Uncaught RuntimeError: unreachable", "worker_died"],
  ["", "worker_start"],
])("an error event (%j) rejects what is open with %s and ends the worker", async (message, code) => {
  const worker = new Dying();
  const channel = new Channel(worker as unknown as Worker);
  const asked = channel.call({ type: "status" });
  worker.die(message);
  await expect(asked).rejects.toMatchObject({ code });
  expect(worker.terminated).toBe(true);
  expect(channel.ended?.code).toBe(code);
});

it("a message that cannot be cloned rejects its request alone", async () => {
  const { port1, port2 } = new MessageChannel();
  const channel = new Channel(port1);
  const page = { title: (() => {}) as unknown as string, description: null, language: null, blocks: [] };
  await expect(channel.call({ type: "ask", page, question: "?", limit: null })).rejects.toMatchObject({
    name: "DataCloneError",
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
  const request = vi.fn(async (_name: string, granted: () => void) => granted());
  vi.stubGlobal("navigator", { locks: { request } });
  const worker = new Dying();
  const channel = new Channel(worker as unknown as Worker);
  const asked = channel.call({ type: "status" });
  expect(request).not.toHaveBeenCalled();
  const data = { version: PROTOCOL_VERSION, id: 0, event: { type: "alive", lock: "pith alive 1" } };
  worker.dispatchEvent(Object.assign(new Event("message"), { data }));
  await expect(asked).rejects.toMatchObject({ code: "worker_died" });
  expect(request).toHaveBeenCalledWith("pith alive 1", expect.any(Function));
});
