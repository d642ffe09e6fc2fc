// A worker whose next request is cancelled from within, at the n-th call that it waits for.

import type { Page } from "@playwright/test";
import { PROTOCOL_VERSION } from "../../web/src/protocol.gen.ts";
import { patchedWorker } from "./patched-worker.ts";
import type { Site } from "./server.ts";

/** What became of the request. */
export interface Cancelled {
  /** Calls that it made before its end, or before the cancel was sent. */
  calls: number;
  /** From the cancel to the end; null where it ended before. */
  late_ms: number | null;
}

/** Ids of the cancels: no page uses them. */
const CANCEL_ID = 4_000_000_000;

/** Runs in the worker before its own script. */
function patch(version: number, cancelId: number): void {
  let nth = 0;
  let target: number | null = null;
  let isAwaited = false;
  let calls = 0;
  let sent_ms: number | null = null;
  let late_ms: number | null = null;
  const told = new BroadcastChannel("cancelling");
  told.onmessage = ({ data }: MessageEvent<number | null>) => {
    if (data === null) return told.postMessage({ calls, late_ms });
    [nth, target, isAwaited, calls, sent_ms, late_ms] = [data, null, true, 0, null, null];
    told.postMessage("armed");
  };
  addEventListener("message", ({ data }) => {
    if (!isAwaited) return;
    isAwaited = false;
    target = data.id;
  });
  const post = postMessage.bind(globalThis);
  globalThis.postMessage = ((message: { id: number; event: { type: string } }) => {
    if (message.id === target && ["done", "failed"].includes(message.event.type)) {
      target = null;
      if (sent_ms !== null) late_ms = performance.now() - sent_ms;
    }
    post(message);
  }) as typeof postMessage;
  const count = () => {
    if (target === null || sent_ms !== null) return;
    calls += 1;
    if (calls !== nth) return;
    const data = { version, id: (cancelId += 1), request: { type: "cancel", target } };
    queueMicrotask(() => {
      sent_ms = performance.now();
      dispatchEvent(new MessageEvent("message", { data }));
    });
  };
  type Method = (this: unknown, ...args: unknown[]) => unknown;
  const watch = (methods: object, names: string[]) => {
    const of = methods as Record<string, Method>;
    for (const name of names) {
      const real = of[name]!;
      of[name] = function (...args) {
        count();
        return real.apply(this, args);
      };
    }
  };
  const { prototype: handle } = (globalThis as unknown as { FileSystemSyncAccessHandle: { prototype: object } })
    .FileSystemSyncAccessHandle;
  watch(globalThis, ["fetch", "setTimeout"]);
  watch(Response.prototype, ["arrayBuffer"]);
  watch(ReadableStreamDefaultReader.prototype, ["read"]);
  watch(IDBFactory.prototype, ["open"]);
  watch(IDBObjectStore.prototype, ["get", "getAll", "getAllKeys", "count", "put", "delete"]);
  watch(StorageManager.prototype, ["getDirectory", "estimate", "persisted"]);
  watch(FileSystemDirectoryHandle.prototype, ["getFileHandle", "getDirectoryHandle", "removeEntry", "keys"]);
  watch(FileSystemFileHandle.prototype, ["createSyncAccessHandle", "getFile"]);
  watch(handle, ["read", "write", "flush"]);
  watch(SubtleCrypto.prototype, ["digest"]);
  watch(LockManager.prototype, ["request"]);
  watch(MessagePort.prototype, ["postMessage"]);
}

/** The address of such a worker. */
export const cancellingWorker = (site: Site): string => patchedWorker(site, patch, PROTOCOL_VERSION, CANCEL_ID);

const tell = <T>(page: Page, message: number | null): Promise<T> =>
  page.evaluate(
    (message) =>
      new Promise<T>((resolve) => {
        const channel = new BroadcastChannel("cancelling");
        channel.onmessage = ({ data }) => (channel.close(), resolve(data));
        channel.postMessage(message);
      }),
    message,
  );

/** The next request is cancelled at its call `nth`; at none for 0. */
export const cancelNext = async (page: Page, nth: number): Promise<void> => void (await tell(page, nth));

/** What became of that request, which has ended. */
export const whatBecame = (page: Page): Promise<Cancelled> => tell(page, null);
