// The database of the history: its stores, its versions, and its errors.
import { dropDatabase, openDatabase as open } from "../storage.js";

export const DATABASE = "pith-history";

/** Every version adds its step; a database of any older version runs through those that it lacks. */
const STEPS: readonly ((database: IDBDatabase) => void)[] = [
  (database) => {
    const entries = database.createObjectStore("entries", { keyPath: "id" });
    // The size stands in the key, so that adding up all sizes reads no entry.
    entries.createIndex("age", ["updatedMs", "bytes"]);
    database.createObjectStore("vectors", { keyPath: "id" });
    database.createObjectStore("state");
  },
  (database) => {
    const open = database.createObjectStore("open", { keyPath: "address" });
    open.createIndex("age", "updatedMs");
    open.createIndex("entry", "entry");
  },
];

/** Of `open` see open-pages.ts. */
export const STORES = ["entries", "vectors", "state", "open"];

/** What keeps the history from being read or written. Each has its sentences in messages/. */
export type HistoryProblem =
  "history_full" | "history_large" | "history_newer" | "history_blocked" | "history_unavailable";

export class HistoryError extends Error {
  readonly code: HistoryProblem;

  constructor(code: HistoryProblem, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** True where there is a history. To ask must not make one. */
export async function hasDatabase(): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name === DATABASE);
}

/** Deletes the history, whatever version has written it. */
export async function dropHistory(): Promise<void> {
  (await opened?.catch(() => null))?.close();
  opened = null;
  await dropDatabase(DATABASE);
}

let opened: Promise<IDBDatabase> | null = null;

/** Runs a transaction: `work` asks, and may ask on when answers come. Makes the database where there is none. */
export async function transact<T>(mode: IDBTransactionMode, work: (tx: IDBTransaction) => Promise<T>): Promise<T> {
  const close = (): void => void (opened = null);
  opened ??= openDatabase(close);
  opened.catch(close);
  try {
    const transaction = (await opened).transaction(STORES, mode);
    const [result, done] = await Promise.allSettled([work(transaction), committed(transaction)]);
    // The transaction knows why; its requests only that it was aborted.
    if (done.status === "rejected") throw done.reason;
    if (result.status === "rejected") throw result.reason;
    return result.value;
  } catch (error) {
    throw toHistoryError(error);
  }
}

/** `onClose`: it has to be opened again. */
function openDatabase(onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = open(DATABASE, STEPS.length);
    opening.onupgradeneeded = ({ oldVersion }) => {
      for (const step of STEPS.slice(oldVersion)) step(opening.result);
    };
    opening.onblocked = () => reject(new HistoryError("history_blocked", "another window holds an older version"));
    opening.onerror = () => reject(toHistoryError(opening.error));
    opening.onsuccess = () => {
      const database = opening.result;
      database.onclose = onClose;
      // A newer version of the extension must not wait for this one.
      database.onversionchange = () => {
        database.close();
        onClose();
      };
      resolve(database);
    };
  });
}

/** The result of a request. */
export const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(toHistoryError(request.error));
  });

/** Resolves when a transaction is stored; rejects where nothing of it is. */
const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(toHistoryError(transaction.error));
  });

export function toHistoryError(error: unknown): HistoryError {
  if (error instanceof HistoryError) return error;
  const name = error instanceof DOMException ? error.name : "";
  const codes: Record<string, HistoryProblem> = { QuotaExceededError: "history_full", VersionError: "history_newer" };
  return new HistoryError(codes[name] ?? "history_unavailable", String(error));
}
