// A worker in which the n-th call of IndexedDB or of the origin private file system fails, once; or one whose disk is full
// from the n-th write on.

import type { Page } from "@playwright/test";
import { patchedWorker } from "./patched-worker.ts";
import type { Site } from "./server.ts";

/** How it fails: it throws, or it is begun and its transaction is aborted, or the disk is full. */
export type Failure = "throws" | "aborts" | "full";

/** Runs in the worker before its own script. */
function patch(nth: number, failure: Failure): void {
  let calls = 0;
  const told = new BroadcastChannel("faults");
  told.onmessage = () => told.postMessage(calls);
  const fault = () => new DOMException("a fault was injected", "UnknownError");
  type Method = (this: unknown, ...args: unknown[]) => unknown;
  const replace = (owner: unknown, names: string[], fail: (real: () => unknown, self: unknown) => unknown) => {
    const methods = (owner as { prototype: Record<string, Method> }).prototype;
    for (const name of names) {
      const real = methods[name]!;
      methods[name] = function (...args) {
        calls += 1;
        return calls === nth ? fail(() => real.apply(this, args), this) : real.apply(this, args);
      };
    }
  };
  const Handle = (globalThis as unknown as { FileSystemSyncAccessHandle: unknown }).FileSystemSyncAccessHandle;
  const throws = () => {
    throw fault();
  };
  const rejects = () => Promise.reject(fault());
  if (failure === "full") {
    const full = () => {
      // So is it for the next one.
      calls -= 1;
      throw new DOMException("the disk is full", "QuotaExceededError");
    };
    replace(IDBObjectStore, ["put"], full);
    return replace(Handle, ["write"], full);
  }
  const aborts = (real: () => unknown, self: unknown) => {
    const request = real();
    (self as IDBObjectStore).transaction.abort();
    return request;
  };
  replace(IDBFactory, ["open"], throws);
  replace(IDBDatabase, ["transaction"], throws);
  replace(
    IDBObjectStore,
    ["get", "getAll", "getAllKeys", "count", "put", "delete"],
    failure === "throws" ? throws : aborts,
  );
  replace(StorageManager, ["getDirectory"], rejects);
  replace(FileSystemDirectoryHandle, ["getFileHandle", "getDirectoryHandle", "removeEntry"], rejects);
  // It is its first step that fails.
  replace(FileSystemDirectoryHandle, ["keys"], (real) => Object.assign(real() as object, { next: rejects }));
  replace(FileSystemFileHandle, ["createSyncAccessHandle", "getFile"], rejects);
  replace(Handle, ["read", "write", "flush", "truncate", "getSize"], throws);
}

/** Gives the address of a worker in which call `nth` fails (0: none does). */
export const faultyScripts =
  (site: Site): ((nth: number, failure: Failure) => string) =>
  (nth, failure) =>
    patchedWorker(site, patch, nth, failure);

/** How many calls the faulty worker of this page has made. */
export const calls = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const ask = new BroadcastChannel("faults");
        ask.onmessage = ({ data }) => (ask.close(), resolve(data));
        ask.postMessage(null);
      }),
  );

/** The site's locks that are held or waited for, but for those of workers that live. */
export const locks = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    const names = [...held, ...pending].map(({ name = "" }) => name);
    return names.filter((name) => !name.startsWith("pith alive"));
  });
