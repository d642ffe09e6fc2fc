// What is remembered of downloads: the store knows addresses, not the names and the hashes that came with them.
import type { RemoteModel } from "../models-wire.js";
import { readStored, writeStored } from "../storage.js";

const KEY = "downloads";
const COUNT_MAX = 100;

/** Of one download. */
export interface Origin {
  title: string;
  sha256?: string[];
  /** Whether it is an encoder, where its file was looked at. */
  encoder?: boolean;
}

export type Origins = Record<string, Origin>;

const isHashes = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 1000 && value.every((one) => typeof one === "string" && one.length === 64);

/** By address. What is stored may come from another version. */
export async function readOrigins(): Promise<Origins> {
  const stored = await readStored(KEY);
  if (typeof stored !== "object" || stored === null) return {};
  const entries = Object.entries(stored as Record<string, unknown>).flatMap(([url, value]): [string, Origin][] => {
    const { title, sha256, encoder } = (value ?? {}) as Record<string, unknown>;
    if (typeof title !== "string") return [];
    const kind = typeof encoder === "boolean" ? { encoder } : {};
    return [[url, { title, ...(isHashes(sha256) && { sha256 }), ...kind }]];
  });
  return Object.fromEntries(entries.slice(-COUNT_MAX));
}

/** Remembers a download before it begins, so that it can be resumed whatever ends. */
export async function remember({ url, sha256 }: RemoteModel, title: string, encoder?: boolean): Promise<void> {
  const { [url]: before, ...others } = await readOrigins();
  const kind = encoder ?? before?.encoder;
  const origin: Origin = { title, ...(sha256 && { sha256 }), ...(kind !== undefined && { encoder: kind }) };
  await writeStored(KEY, { ...others, [url]: origin });
}

/** Remembers whether a stored model is an encoder. `key` is its address, or its name where it has none. */
export async function noteKind(key: string, title: string, encoder: boolean): Promise<void> {
  const origins = await readOrigins();
  await writeStored(KEY, { ...origins, [key]: { title, ...origins[key], encoder } });
}

/** Drops what is remembered of a download, with its model. */
export async function forget(url: string): Promise<void> {
  const { [url]: _, ...others } = await readOrigins();
  await writeStored(KEY, others);
}
