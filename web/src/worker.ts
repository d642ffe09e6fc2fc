// The worker's entry point: starts the wasm without losing messages or failures.
import init, { start } from "./wasm/pith_worker.js";
import { authorize, isAuthorize } from "./authorize.js";
import { isBounded } from "./bounded.js";
import { openGrammar } from "./grammar.js";
import { isThread, runThread, spawn } from "./threads.js";
import { moduleUrl } from "./module.js";
import { ERRORS, type EventMessage, type Failure, PROTOCOL_VERSION } from "./protocol.gen.js";
import { Host } from "./shared/host.js";
import type { Command, Report } from "./shared/wire.js";

// Nobody reads the list of what was fetched, and it would grow with every model that is loaded.
performance.setResourceTimingBufferSize(0);

if (isThread) runThread();
else begin();

/** Listens to the page. */
function begin(): void {
  /** Messages posted before the wasm listens; they are dispatched again later. */
  const held: MessageEvent[] = [];
  let isStarted = false;
  /** Requests that have not ended. */
  const open = new Set<number>();
  /** Why this worker is dead. After a trap the wasm's memory is in an unknown state, so no message is passed to it any more. */
  let death: Failure | null = null;

  /** Set if this worker serves all tabs: messages then go through it. */
  let host: Host | null = null;

  const realPostMessage = postMessage.bind(globalThis);
  const emit = (message: EventMessage): void => (host ? host.take(message) : realPostMessage(message));
  const post = (id: number, event: EventMessage["event"]): void => emit({ version: PROTOCOL_VERSION, id, event });

  // The wasm posts messages through this function.
  globalThis.postMessage = ((message: EventMessage) => {
    const { id, event } = message;
    if (event.type === "fatal") return die(event.error);
    // The first request of that id is still open.
    const isRefusedId = event.type === "failed" && event.error.code === "duplicate_id";
    if (event.type === "done" || (event.type === "failed" && !isRefusedId)) open.delete(id);
    emit(message);
  }) as typeof postMessage;

  // Registered first, so it sees every message before the wasm does.
  addEventListener("message", (message) => {
    const share = (message.data as Partial<Command> | null)?.share;
    if (share) {
      message.stopImmediatePropagation();
      if (share === "ping") return realPostMessage({ shared: "pong" } satisfies Report);
      host ??= new Host(share, (data) => dispatchEvent(new MessageEvent("message", { data })), realPostMessage);
      return;
    }
    const id = (message.data as { id?: unknown } | null)?.id;
    const isId = typeof id === "number" && Number.isInteger(id) && id > 0;
    const { request } = (message.data ?? {}) as { request?: unknown };
    if (isId && isAuthorize(request)) {
      message.stopImmediatePropagation();
      authorize(request);
      return post(id, { type: "done", result: { type: "ok" } });
    }
    if (death) {
      message.stopImmediatePropagation();
      return post(isId ? id : 0, { type: "failed", error: death });
    }
    if (!isBounded(message.data)) {
      message.stopImmediatePropagation();
      const error: Failure = {
        code: "bad_message",
        ...ERRORS.bad_message,
        detail: "the message is nested too deeply, or is too large",
      };
      return post(isId ? id : 0, { type: "failed", error });
    }
    if (isId) open.add(id);
    if (!isStarted) held.push(message);
  });

  /** Fails every request and tells the page (id 0 is the worker itself), which can start another worker. */
  function die(error: Failure): void {
    if (death) return;
    death = error;
    const tell = (): void => post(0, { type: "fatal", error });
    // A worker that did not start fails as such, not by the requests that wait for it.
    if (!isStarted) tell();
    for (const id of open) post(id, { type: "failed", error });
    open.clear();
    if (isStarted) tell();
  }
  const internal = (message: string, help: string, error: unknown): Failure => {
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { code: "internal", message, help, detail };
  };
  const stop = (error: unknown): void =>
    die(internal("The AI worker has stopped.", "Try again: a new one is started.", error));
  // A panic posts its own message. A stack overflow unwinds the wasm anywhere, without one.
  addEventListener("unhandledrejection", ({ reason }) => stop(reason));
  addEventListener("error", ({ error, message }) => stop(error ?? message));
  // The request is unknown.
  addEventListener("messageerror", () => stop("a message could not be read"));

  // The browser releases this lock when the worker ends, which tells the page.
  const lock = `pith alive ${Math.random()}`;
  navigator.locks
    ?.request(lock, () => {
      post(0, { type: "alive", lock });
      return new Promise(() => {});
    })
    .catch(() => {});

  const engine = moduleUrl();
  init({ module_or_path: engine }).then(
    () => {
      isStarted = true;
      start(openGrammar, spawn);
      for (const { data } of held.splice(0)) dispatchEvent(new MessageEvent("message", { data }));
    },
    (error: unknown) =>
      die(
        internal(
          "The AI worker could not be started.",
          "Update the browser: it must run WebAssembly with SIMD. The site must serve the package's .wasm files, and its content security policy must allow 'wasm-unsafe-eval'.",
          `${String(error)} (${engine.href})`,
        ),
      ),
  );
}
