// The server that the reader has turned on, with its key. Both are kept in IndexedDB: it is never synchronised, scripts in
// pages cannot read it, the offscreen document can, and a private window has one of its own, which ends with it.
import { dropDatabase, openDatabase } from "../../../storage.js";
import { readAddress } from "./address.js";
import { serverError } from "./errors.js";

const DATABASE = "pith-server";
const STORE = "connection";
const ONLY = "current";

const KEY_MAX = 4_096;
const MODEL_MAX = 1_024;
/** A context that is said to be longer is as good as this one. */
const CONTEXT_TOKENS_MAX = 2 ** 24;

/** How a server differs from the others. */
export type Dialect = "llama.cpp" | "vllm" | "other";

/** What requests need. */
export interface Connection {
  /** As `readAddress` gives it. */
  base: string;
  /** Empty for a server that wants none. */
  key: string;
  model: string;
  dialect: Dialect;
  /** The context length of the model, where the server tells it. */
  contextTokens: number | null;
}

const DIALECTS: readonly Dialect[] = ["llama.cpp", "vllm", "other"];

/** A key as a header can carry it: visible ASCII. */
export const isKey = (key: string): boolean => key.length <= KEY_MAX && /^[\x21-\x7e]*$/.test(key);

/** What is stored is read with care: an older version may have written it. */
export function toConnection(value: unknown): Connection | null {
  if (typeof value !== "object" || value === null) return null;
  const { base, key, model, dialect, contextTokens } = value as Record<string, unknown>;
  if (typeof base !== "string" || typeof key !== "string" || !isKey(key)) return null;
  if (typeof model !== "string" || model === "" || model.length > MODEL_MAX) return null;
  try {
    if (readAddress(base).base !== base) return null;
  } catch {
    return null;
  }
  return {
    base,
    key,
    model,
    dialect: DIALECTS.find((one) => one === dialect) ?? "other",
    contextTokens:
      Number.isSafeInteger(contextTokens) && Number(contextTokens) > 0
        ? Math.min(Number(contextTokens), CONTEXT_TOKENS_MAX)
        : null,
  };
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const isNewer = (error: unknown): boolean => (error as { name?: unknown } | null)?.name === "VersionError";

async function store<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = openDatabase(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await settled(opening).catch((error: unknown): never => {
    throw isNewer(error) ? serverError("server_newer", "") : error;
  });
  try {
    const transaction = database.transaction(STORE, mode);
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const [result] = await Promise.all([settled(work(transaction.objectStore(STORE))), ended]);
    return result;
  } finally {
    database.close();
  }
}

/** The server that is turned on; null where none is. */
export const readConnection = async (): Promise<Connection | null> =>
  toConnection(await store("readonly", (kept) => kept.get(ONLY) as IDBRequest<unknown>));

export const writeConnection = (connection: Connection): Promise<IDBValidKey> =>
  store("readwrite", (kept) => kept.put(connection, ONLY));

/** Forgets address and key. What a newer version of the extension has written goes as a whole. */
export const forgetConnection = (): Promise<void> =>
  store("readwrite", (kept) => kept.delete(ONLY)).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== "server_newer") throw error;
    return dropDatabase(DATABASE);
  });
