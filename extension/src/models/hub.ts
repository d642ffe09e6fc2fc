// Finds a GGUF file in a repository of a model hub.
import { PithError } from "@pith/web";
import { hub as defaultHub } from "@pith/web/models";
import type { RemoteModel } from "../models-wire.js";

const KEY = "hub";
/** A list of files that is longer is cut off. */
const LIST_CHARS_MAX = 4 << 20;
/** In this order, where the reader names none: good and small first. */
const PREFERRED = ["Q4_K_M", "Q4_K_S", "Q4_0", "Q5_K_M", "Q8_0"];

/** A repository, and which of its files. */
export interface HubName {
  owner: string;
  repo: string;
  quant: string | null;
}

/** A model that was found. */
export interface HubModel extends RemoteModel {
  title: string;
  bytes: number;
  files: number;
}

interface ListedFile {
  path: string;
  size: number;
  sha256: string | null;
}

/** Where models are looked for: the public hub, or a mirror that the reader has set. */
export async function readHub(): Promise<string> {
  const stored = (await chrome.storage.local.get(KEY))[KEY];
  return typeof stored === "string" && URL.canParse(stored) ? new URL(stored).origin : defaultHub;
}

/** Sets a mirror; an empty address sets the public hub. */
export const writeHub = (address: string): Promise<void> =>
  address ? chrome.storage.local.set({ [KEY]: new URL(address).origin }) : chrome.storage.local.remove(KEY);

/** The address of a known model, on the reader's hub. */
export const onHub = (url: string, hub: string): string =>
  url.startsWith(`${defaultHub}/`) ? hub + url.slice(defaultHub.length) : url;

/** `owner/repo` or `owner/repo:quant`; null for anything else. */
export function parseHubName(text: string): HubName | null {
  const [, owner, repo, quant] = /^([\w][\w.-]{0,95})\/([\w][\w.-]{0,95})(?::([\w.-]{1,40}))?$/.exec(text.trim()) ?? [];
  return owner && repo ? { owner, repo, quant: quant ?? null } : null;
}

/** Asks a hub for the files of a repository, and chooses one. */
export async function findOnHub(hub: string, { owner, repo, quant }: HubName, signal: AbortSignal): Promise<HubModel> {
  const list = await fetchList(`${hub}/api/models/${owner}/${repo}/tree/main?recursive=true`, signal);
  const chosen = choose(readList(list), quant);
  const [first] = chosen;
  const hashes = chosen.flatMap(({ sha256 }) => sha256 ?? []);
  const path = first.path.split("/").map(encodeURIComponent).join("/");
  return {
    url: `${hub}/${owner}/${repo}/resolve/main/${path}`,
    title: titleOf(first.path),
    bytes: chosen.reduce((sum, { size }) => sum + size, 0),
    files: chosen.length,
    ...(hashes.length === chosen.length && { sha256: hashes }),
  };
}

async function fetchList(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, credentials: "omit", redirect: "follow" }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new PithError({ code: "network_error", message: "", detail: `${url}: ${String(error)}` });
  });
  if (!response.ok)
    throw new PithError({ code: "http_status", message: "", detail: `${url} answered with status ${response.status}` });
  try {
    return JSON.parse(await readText(response)) as unknown;
  } catch (error) {
    signal.throwIfAborted();
    throw new PithError({ code: "hub_answer", message: "", detail: `${url}: ${String(error)}` });
  }
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) return text;
    text += value;
    if (text.length > LIST_CHARS_MAX) throw new Error("the answer is too long");
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The GGUF files of a list. What else an answer may hold is ignored. */
export function readList(list: unknown): ListedFile[] {
  if (!Array.isArray(list)) throw new PithError({ code: "hub_answer", message: "", detail: "no list of files" });
  return list.flatMap((entry: unknown): ListedFile[] => {
    if (!isRecord(entry) || typeof entry["path"] !== "string" || typeof entry["size"] !== "number") return [];
    const { path, size, lfs } = entry as { path: string; size: number; lfs?: unknown };
    const oid = isRecord(lfs) ? lfs["oid"] : null;
    const sha256 = typeof oid === "string" && /^[0-9a-f]{64}$/.test(oid) ? oid : null;
    // Vision projectors and importance matrices have the same ending.
    return /\.gguf$/i.test(path) && !/mmproj|imatrix/i.test(path) ? [{ path, size, sha256 }] : [];
  });
}

/** The files of one model: those whose name has the quantization as a word. */
export function choose(files: readonly ListedFile[], quant: string | null): [ListedFile, ...ListedFile[]] {
  const models = new Map<string, ListedFile[]>();
  for (const file of files) {
    const model = file.path.replace(/-\d{5}-of-\d{5}\.gguf$/i, "");
    models.set(model, [...(models.get(model) ?? []), file]);
  }
  // Of several, the one with the plainest name.
  const names = [...models.keys()].sort((a, b) => a.length - b.length);
  const named = (wish: string) => names.find((name) => hasWord(name, wish));
  const found = quant ? named(quant) : (PREFERRED.map(named).find(Boolean) ?? names[0]);
  const parts = models.get(found ?? "") ?? [];
  const [first, ...rest] = parts.sort((a, b) => (a.path < b.path ? -1 : 1));
  if (first) return [first, ...rest];
  const quants = files.flatMap(({ path }) => /(?:I?Q\d\w*|B?F(?:16|32)|MXFP4)(?=[-.])/i.exec(path)?.[0] ?? []);
  const detail = files.length > 0 ? [...new Set(quants)].slice(0, 30).join(", ") : "";
  throw new PithError({ code: files.length > 0 ? "hub_no_quant" : "hub_no_gguf", message: "", detail });
}

/** `Q4_K` is no word of `Q4_K_M`. */
function hasWord(path: string, word: string): boolean {
  const escaped = word.replace(/[.]/g, "\\.");
  return new RegExp(`(?:^|[-._/])${escaped}(?:[-.]|$)`, "i").test(path);
}

/** The name of a model by its file. */
export const titleOf = (path: string): string =>
  decodeURIComponent(path.split("/").at(-1) ?? path).replace(/(?:-\d{5}-of-\d{5})?\.gguf$/i, "");
