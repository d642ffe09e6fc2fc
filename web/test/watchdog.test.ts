import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Channel } from "../src/channel.js";
import {
  type Event as WorkerEvent,
  PROTOCOL_VERSION,
  type Request,
  type RequestMessage,
  type Stage,
} from "../src/protocol.gen.js";
import { page } from "./endpoint.js";

const MINUTE = 60_000;
const summarize: Request = { type: "summarize", page };

/** A worker that answers pings for as long as it lives, and nothing else. */
class Worker extends EventTarget {
  alive = true;
  terminated = false;
  pings = 0;
  postMessage({ id, request }: RequestMessage): void {
    if (request.type !== "ping") return;
    this.pings += 1;
    if (this.alive) this.say(id, { type: "done", result: { type: "ok" } });
  }
  terminate(): void {
    this.terminated = true;
  }
  say(id: number, event: WorkerEvent): void {
    this.dispatchEvent(new MessageEvent("message", { data: { version: PROTOCOL_VERSION, id, event } }));
  }
}

let worker: Worker;
let channel: Channel;
/** The code that a request ended with, or null. */
const ask = (request: Request, signal?: AbortSignal): { code: string | null } => {
  const asked: { code: string | null } = { code: null };
  channel.call(request, signal && { signal }).catch((error: { code: string }) => (asked.code = error.code));
  return asked;
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  worker = new Worker();
  channel = new Channel(worker as unknown as globalThis.Worker);
});
afterEach(() => vi.useRealTimers());

it("a silent worker is ended, and the request that it was at is told apart", async () => {
  const [first, second] = [ask(summarize), ask(summarize)];
  worker.say(1, { type: "begun" });
  await pass(10 * MINUTE);
  expect([first.code, second.code, worker.terminated]).toEqual([null, null, false]);
  worker.alive = false;
  await pass(MINUTE);
  expect(worker.terminated).toBe(false);
  await pass(10_000);
  expect([first.code, second.code, worker.terminated]).toEqual(["worker_stuck", "worker_replaced", true]);
  await expect(channel.call({ type: "status" })).rejects.toMatchObject({ code: "worker_replaced" });
});

it("nobody is blamed for what ended before", async () => {
  const gone = new AbortController();
  const [first, second] = [ask(summarize, gone.signal), ask(summarize)];
  worker.say(1, { type: "begun" });
  gone.abort();
  worker.alive = false;
  await pass(2 * MINUTE);
  expect(second.code).toBe("worker_replaced");
  expect(first.code).not.toBe("worker_stuck");
});

it.each<Stage>(["load", "compile"])("a worker at the stage %s has ten minutes", async (stage) => {
  const asked = ask(summarize);
  worker.say(1, { type: "begun" });
  worker.say(1, { type: "progress", stage, done: 0, total: 1 });
  worker.alive = false;
  await pass(9 * MINUTE);
  expect(asked.code).toBeNull();
  await pass(2 * MINUTE);
  expect(asked.code).toBe("worker_stuck");
});

it("a worker that has not started yet is waited for", async () => {
  worker.alive = false;
  const asked = ask({ type: "status" });
  await pass(60 * MINUTE);
  expect([asked.code, worker.terminated]).toEqual([null, false]);
});

it("turns are counted, not time: a context that did not run holds nothing against the worker", async () => {
  const asked = ask(summarize);
  worker.say(1, { type: "begun" });
  vi.setSystemTime(Date.now() + 60 * MINUTE);
  await pass(10_000);
  expect([asked.code, worker.terminated]).toEqual([null, false]);
});

it("nothing is asked while nothing is open", async () => {
  ask(summarize);
  await pass(MINUTE);
  worker.say(1, { type: "failed", error: { code: "no_text", message: "", help: "", detail: "" } });
  const { pings } = worker;
  await pass(10 * MINUTE);
  expect(worker.pings).toBe(pings);
});
