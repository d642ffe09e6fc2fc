// What is remembered of downloads: the store knows addresses, not the names and the hashes that came with them.
import type { RemoteModel } from "../models-wire.js";

const KEY = "downloads";
const COUNT_MAX = 100;

/** Of one download. */
export interface Origin {
  title: string;
  sha256?: string[];
}

export type Origins = Record<string, Origin>;

const isHashes = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 1000 && value.every((one) => typeof one === "string" && one.length === 64);

/** By address. What is stored may come from another version. */
export async function readOrigins(): Promise<Origins> {
  const stored = (await chrome.storage.local.get(KEY))[KEY];
  if (typeof stored !== "object" || stored === null) return {};
  const entries = Object.entries(stored as Record<string, unknown>).flatMap(([url, value]): [string, Origin][] => {
    const { title, sha256 } = (value ?? {}) as Record<string, unknown>;
    if (typeof title !== "string") return [];
    return [[url, { title, ...(isHashes(sha256) && { sha256 }) }]];
  });
  return Object.fromEntries(entries.slice(-COUNT_MAX));
}

/** Remembers a download before it begins, so that it can be resumed whatever ends. */
export async function remember({ url, sha256 }: RemoteModel, title: string): Promise<void> {
  const { [url]: _, ...others } = await readOrigins();
  await chrome.storage.local.set({ [KEY]: { ...others, [url]: { title, ...(sha256 && { sha256 }) } } });
}

/** Drops what is remembered of a download, with its model. */
export async function forget(url: string): Promise<void> {
  const { [url]: _, ...others } = await readOrigins();
  await chrome.storage.local.set({ [KEY]: others });
}
