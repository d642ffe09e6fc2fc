// The worker's entry: starts the wasm, and loses no message and no failure on the way.
import init, { start } from "./wasm/pith_worker.js";
import { moduleUrl } from "./module.js";
import { type EventMessage, PROTOCOL_VERSION } from "./protocol.gen.js";

// A page may post before the wasm listens: such messages are held and given again.
const held: MessageEvent[] = [];
const hold = (event: MessageEvent): void => {
  held.push(event);
};
addEventListener("message", hold);

// After a trap nothing inside can be trusted: the page is told (id 0 is the worker itself) and can start another.
const fail = (message: string, help: string, error: unknown): void => {
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const fatal: EventMessage = {
    version: PROTOCOL_VERSION,
    id: 0,
    event: { type: "fatal", error: { code: "internal", message, help, detail } },
  };
  postMessage(fatal);
};
addEventListener("unhandledrejection", (event) => {
  fail("The AI worker has stopped.", "Try again: a new one is started.", event.reason);
});

// The page learns of this worker's end by a lock, which the browser frees then.
const lock = `pith alive ${Math.random()}`;
navigator.locks
  ?.request(lock, () => {
    const alive: EventMessage = { version: PROTOCOL_VERSION, id: 0, event: { type: "alive", lock } };
    postMessage(alive);
    return new Promise(() => {});
  })
  .catch(() => {});

init({ module_or_path: moduleUrl() }).then(
  () => {
    removeEventListener("message", hold);
    start();
    for (const { data } of held) dispatchEvent(new MessageEvent("message", { data }));
  },
  (error: unknown) =>
    fail(
      "The AI worker could not be started.",
      "Update the browser: it must run WebAssembly with SIMD. Under a content security policy, allow 'wasm-unsafe-eval'.",
      error,
    ),
);
