// Which model does what: who writes, and which embedding model (encoder) reads. Pages and the host read it; the models
// page writes it.

import type { WriterTier } from "@pith/web";
import { readStored, watchStored, writeStored } from "./storage.js";

const KEY = "roles";
const TIERS: readonly WriterTier[] = ["none", "chat", "shorten", "write"];

/** A model on this machine, stored under `name`. */
interface LocalModel {
  name: string;
  /** As the reader knows it. */
  title: string;
  /** Where it came from, so that it can be downloaded again. */
  source: { url: string; sha256?: string } | null;
}

/** A language model on this machine. */
export interface LocalWriter extends LocalModel {
  type: "local";
  /** What it may write about pages, by its test; null before that. */
  tier: WriterTier | null;
}

/** A downloaded embedding model. */
export interface LocalEncoder extends LocalModel {
  /** BCP 47 tags of the languages that it was made for; null where they are not known. */
  languages: string[] | null;
}

/** A model on a server of the reader's own. Its address and key are read by the host alone. */
export interface ServerWriter {
  type: "server";
  /** The server's host name, which each answer names. */
  host: string;
  model: string;
}

/** The browser's own language model. */
export interface BrowserWriter {
  type: "browser";
  /** As the reader knows it. */
  title: string;
}

export interface Roles {
  /** Who writes; with `null` summaries and answers are the page's own sentences. */
  writer: LocalWriter | ServerWriter | BrowserWriter | null;
  /** Which encoder reads pages; `null` is the built-in one, which reads English. */
  encoder: LocalEncoder | null;
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= 4096;

/** What is stored is read with care: an older version, or a broken profile, may have written anything. */
function readModel(value: unknown): LocalModel | null {
  if (typeof value !== "object" || value === null) return null;
  const { name, title, source } = value as Record<string, unknown>;
  if (!isText(name)) return null;
  const { url, sha256 } = (source ?? {}) as Record<string, unknown>;
  const from = isText(url) ? { url, ...(isText(sha256) && { sha256 }) } : null;
  return { name, title: isText(title) ? title : name, source: from };
}

function readWriter(value: unknown): Roles["writer"] {
  if (typeof value !== "object" || value === null) return null;
  const { type, host, model, title } = value as Record<string, unknown>;
  if (type === "browser") return isText(title) ? { type, title } : null;
  if (type === "server") return isText(host) && isText(model) ? { type, host, model } : null;
  const local = type === "local" ? readModel(value) : null;
  const { tier, testedBy } = value as Record<string, unknown>;
  // Another version of Pith may test otherwise.
  const known = testedBy === version() ? TIERS.find((one) => one === tier) : undefined;
  return local && { type: "local", ...local, tier: known ?? null };
}

/** The version of Pith, whose test a verdict is by. */
const version = (): string => chrome.runtime.getManifest().version;

function readEncoder(value: unknown): Roles["encoder"] {
  const model = readModel(value);
  if (!model) return null;
  const { languages } = value as Record<string, unknown>;
  return { ...model, languages: Array.isArray(languages) && languages.every(isText) ? languages : null };
}

/** Who writes and who reads now. */
export async function readRoles(): Promise<Roles> {
  const stored = (await readStored(KEY)) as { writer?: unknown; encoder?: unknown } | undefined;
  return { writer: readWriter(stored?.writer), encoder: readEncoder(stored?.encoder) };
}

export function writeRoles({ writer, encoder }: Roles): Promise<void> {
  const stored = writer?.type === "local" ? { ...writer, testedBy: version() } : writer;
  return writeStored(KEY, { writer: stored, encoder });
}

/** Changes one of them, and leaves the other. */
export const changeRoles = async (change: Partial<Roles>): Promise<void> =>
  writeRoles({ ...(await readRoles()), ...change });

/** Remembers what a model may write, if it is the one that writes and nobody knew. */
export async function noteTier(name: string, tier: WriterTier): Promise<void> {
  const roles = await readRoles();
  const { writer } = roles;
  if (writer?.type === "local" && writer.name === name && writer.tier !== tier)
    await writeRoles({ ...roles, writer: { ...writer, tier } });
}

/** Calls with every change until the signal. */
export function watchRoles(listener: (roles: Roles) => void, signal: AbortSignal): void {
  watchStored((keys) => keys.includes(KEY) && void readRoles().then(listener), signal);
}
