import { expect, it } from "vitest";
import { Channel } from "../src/channel.js";

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
