// Finds a model by name: in the list of known models, or among the files of a repository on a model hub.

import type { AuthorizeRequest } from "./authorize.js";
import type { Pith } from "./client.js";
import { clientErrors } from "./errors.js";
import { badAnswer, fetchFrom, refusal } from "./hub-errors.js";
import { choose, chooseFile, type ListedFile, readList, titleOf } from "./hub-files.js";
import { type HubName, parseHubName, parsePage } from "./hub-names.js";
import { refuseUnknown } from "./options.js";
import { hub as defaultHub, knownEncoders, knownModels } from "./models.js";
import type { Request } from "./protocol.gen.js";

export { HubError, type Unreachable } from "./hub-errors.js";
export { titleOf } from "./hub-files.js";
export { type HubName, parseHubName } from "./hub-names.js";

/** A list of files that is longer is cut off. */
const LIST_CHARS_MAX = 4 << 20;
/** A hub lists a thousand files at a time. */
const LIST_PAGES_MAX = 10;

/** A model that was found: an input of `load`, `fit` and `download`. */
export interface HubModel {
  url: string;
  /** One per file, if the hub has them. */
  sha256?: string[];
  title: string;
  /** Of all files; null if unknown. */
  bytes: number | null;
  files: number;
}

/** Options of `findModel`. */
export interface HubOptions {
  /** Origin of the hub or of a mirror of it; by default the one of the known models. */
  hub?: string | URL | undefined;
  /** For the lists of private and gated repositories. */
  token?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Finds a model by `owner/repo`, `owner/repo:quantization`, `owner/repo/file.gguf`, the id of a known model, or a URL: of a file, or of
 * a page of the hub. Fetches the list of files of a repository; nothing else.
 */
export async function findModel(source: string, options: HubOptions = {}): Promise<HubModel> {
  const { hub = defaultHub, token, signal, ...unknown } = options;
  refuseUnknown(unknown, {});
  const origin = originOf(hub);
  const text = String(source).trim();
  const known = [...knownModels, ...knownEncoders].find(({ id }) => id === text);
  if (known) {
    const { source: url, sha256, name, bytes } = known;
    return {
      url: onHub(url, origin),
      ...(sha256 && { sha256: [sha256] }),
      title: name,
      bytes: bytes ?? null,
      files: 1,
    };
  }
  const url = /^https?:/.test(text) && URL.canParse(text) ? new URL(text) : null;
  const page = url && [origin, defaultHub].includes(url.origin) ? parsePage(url) : null;
  if (url && page) return findOnHub(url.origin, page, { token: url.origin === origin ? token : undefined, signal });
  if (url) return { url: text, title: titleOf(url.pathname), bytes: null, files: 1 };
  const name = parseHubName(text);
  if (!name) throw clientErrors.argument(`not owner/repo, owner/repo:quantization, a known model or a URL: ${text}`);
  return findOnHub(origin, name, { token, signal });
}

function originOf(hub: string | URL): string {
  if (!URL.canParse(hub)) throw clientErrors.argument(`hub is not a URL: ${String(hub)}`);
  const { origin, protocol } = new URL(hub);
  if (protocol !== "https:" && protocol !== "http:")
    throw clientErrors.argument(`hub is not an http URL: ${String(hub)}`);
  return origin;
}

/**
 * Lets the worker of a client send a token with its requests to a hub: for downloads from private and gated repositories. The worker
 * forgets it when it ends; `null` takes it back.
 */
export async function authorize(
  client: Pith,
  token: string | null,
  { hub = defaultHub, ...unknown }: Pick<HubOptions, "hub"> = {},
): Promise<void> {
  refuseUnknown(unknown, {});
  if (token !== null && (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)))
    throw clientErrors.argument("token is not a token");
  const request: AuthorizeRequest = { type: "authorize", origin: originOf(hub), token };
  await client.channel.call(request as unknown as Request);
}

/** The address of a known model, on another hub. */
export const onHub = (url: string, hub: string): string =>
  url.startsWith(`${defaultHub}/`) ? hub + url.slice(defaultHub.length) : url;

/** Asks a hub for the files of a repository, and chooses those of one model. */
export async function findOnHub(
  hub: string,
  { owner, repo, quant, path, revision = "main", folder }: HubName,
  options: Omit<HubOptions, "hub"> = {},
): Promise<HubModel> {
  const files: ListedFile[] = [];
  const at = encodeURIComponent(revision);
  let next: string | null = `${hub}/api/models/${owner}/${repo}/tree/${at}?recursive=true`;
  for (let page = 0; next && page < LIST_PAGES_MAX; page += 1) {
    const answer = await fetchList(next, options);
    for (const file of readList(answer.list))
      if (folder === undefined || file.path.startsWith(`${folder}/`)) files.push(file);
    // The token is for this hub.
    next = answer.next && originOf(answer.next) === hub ? answer.next : null;
  }
  const chosen = path === null ? choose(files, quant) : chooseFile(files, path);
  const [first] = chosen;
  const hashes = chosen.flatMap(({ sha256 }) => sha256 ?? []);
  const address = first.path.split("/").map(encodeURIComponent).join("/");
  return {
    url: `${hub}/${owner}/${repo}/resolve/${at}/${address}`,
    title: titleOf(first.path),
    bytes: chosen.reduce((sum, { size }) => sum + size, 0),
    files: chosen.length,
    ...(hashes.length === chosen.length && { sha256: hashes }),
  };
}

async function fetchList(
  url: string,
  { token, signal }: Omit<HubOptions, "hub">,
): Promise<{ list: unknown; next: string | null }> {
  const response = await fetchFrom(url, {
    credentials: "omit",
    ...(signal && { signal }),
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  });
  if (!response.ok) throw refusal(url, response);
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
  try {
    const list = JSON.parse(await readText(response)) as unknown;
    return { list, next: next ? new URL(next, url).href : null };
  } catch (error) {
    signal?.throwIfAborted();
    throw badAnswer(`${url}: ${String(error)}`);
  }
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) return text;
    text += value;
    if (text.length <= LIST_CHARS_MAX) continue;
    await reader?.cancel();
    throw new Error("the answer is too long");
  }
}
