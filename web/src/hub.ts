// Finds a model by name: in the list of known models, or among the files of a repository on a model hub.

import type { AuthorizeRequest } from "./authorize.js";
import type { Pith } from "./client.js";
import { clientErrors, type ErrorData, PithError } from "./errors.js";
import { refuseUnknown } from "./options.js";
import { hub as defaultHub, knownEncoders, knownModels } from "./models.js";
import type { Request } from "./protocol.gen.js";

/** A list of files that is longer is cut off. */
const LIST_CHARS_MAX = 4 << 20;
/** A hub lists a thousand files at a time. */
const LIST_PAGES_MAX = 10;
/** In this order, if no quantization is named: good and small first. */
const PREFERRED = ["Q4_K_M", "Q4_K_S", "Q4_0", "Q5_K_M", "Q8_0"];

/** A repository, and which of its files. */
export interface HubName {
  owner: string;
  repo: string;
  quant: string | null;
  /** Path of a file in the repository. */
  path: string | null;
}

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

/** Why a hub could not be reached, as far as a browser tells. */
export type Unreachable =
  /** The browser has no network. */
  | "offline"
  /** The server answers, but does not allow pages of this origin to read it. */
  | "cors"
  /** The content security policy of the page forbids it. */
  | "policy"
  /** No answer: the name is unknown (DNS), the connection is refused, or something blocks it. A browser does not say which. */
  | "unreachable";

/** A failure of a hub. */
export class HubError extends PithError {
  /** The HTTP status of an `http_status`. */
  readonly status: number | null;
  /** The cause of a `network_error`. */
  readonly reason: Unreachable | null;

  constructor(data: ErrorData, { status = null, reason = null }: Partial<Pick<HubError, "status" | "reason">> = {}) {
    super(data);
    this.name = "HubError";
    this.status = status;
    this.reason = reason;
  }
}

interface ListedFile {
  path: string;
  size: number;
  sha256: string | null;
}

/**
 * Finds a model by `owner/repo`, `owner/repo:quantization`, `owner/repo/file.gguf`, the id of a known model, or a URL. Fetches the
 * list of files of a repository; nothing else.
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
  if (/^https?:/.test(text) && URL.canParse(text))
    return { url: text, title: titleOf(new URL(text).pathname), bytes: null, files: 1 };
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

/** `owner/repo`, `owner/repo:quantization` or `owner/repo/file.gguf`; null for anything else. */
export function parseHubName(text: string): HubName | null {
  const [, owner, repo, quant, path] =
    /^([\w][\w.-]{0,95})\/([\w][\w.-]{0,95})(?::([\w.-]{1,40})|\/([^?#:\\]{1,300}\.gguf))?$/i.exec(text.trim()) ?? [];
  return owner && repo ? { owner, repo, quant: quant ?? null, path: path ?? null } : null;
}

/** Asks a hub for the files of a repository, and chooses those of one model. */
export async function findOnHub(
  hub: string,
  { owner, repo, quant, path }: HubName,
  options: Omit<HubOptions, "hub"> = {},
): Promise<HubModel> {
  const files: ListedFile[] = [];
  let next: string | null = `${hub}/api/models/${owner}/${repo}/tree/main?recursive=true`;
  for (let page = 0; next && page < LIST_PAGES_MAX; page += 1) {
    const answer = await fetchList(next, options);
    files.push(...readList(answer.list));
    // The token is for this hub.
    next = answer.next && originOf(answer.next) === hub ? answer.next : null;
  }
  const chosen = path === null ? choose(files, quant) : chooseFile(files, path);
  const [first] = chosen;
  const hashes = chosen.flatMap(({ sha256 }) => sha256 ?? []);
  const address = first.path.split("/").map(encodeURIComponent).join("/");
  return {
    url: `${hub}/${owner}/${repo}/resolve/main/${address}`,
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

/** Fetches, or fails with the cause as far as it can be found out. */
async function fetchFrom(url: string, init: RequestInit): Promise<Response> {
  let forbidden = "";
  const note = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    forbidden = `content security policy: ${effectiveDirective} forbids ${blockedURI}`;
  };
  const events = globalThis as Partial<Pick<Window, "addEventListener" | "removeEventListener">>;
  events.addEventListener?.("securitypolicyviolation", note);
  try {
    return await fetch(url, init);
  } catch (error) {
    init.signal?.throwIfAborted();
    const reason = await whyUnreachable(url, init.signal ?? null, () => forbidden !== "");
    throw new HubError(
      { code: "network_error", ...UNREACHABLE[reason], detail: `${url}: ${forbidden || String(error)}` },
      { reason },
    );
  } finally {
    events.removeEventListener?.("securitypolicyviolation", note);
  }
}

async function whyUnreachable(
  url: string,
  signal: AbortSignal | null,
  isForbidden: () => boolean,
): Promise<Unreachable> {
  if (globalThis.navigator?.onLine === false) return "offline";
  try {
    // A server's answer may not be read without its permission, but whether it answers can be known.
    const { body } = await fetch(url, { mode: "no-cors", credentials: "omit", signal });
    await body?.cancel();
    return "cors";
  } catch {
    signal?.throwIfAborted();
    // The event about a policy comes in a task of its own.
    await new Promise((resolve) => setTimeout(resolve));
    return isForbidden() ? "policy" : "unreachable";
  }
}

const UNREACHABLE: Record<Unreachable, Pick<ErrorData, "message" | "help">> = {
  offline: { message: "There is no network connection.", help: "Connect to the network, or load a stored model." },
  cors: {
    message: "The model hub does not allow this site to read it (CORS).",
    help: "Use a hub or a mirror that sends access-control-allow-origin.",
  },
  policy: {
    message: "The content security policy of this page forbids the model hub.",
    help: "Add the hub to the directive connect-src.",
  },
  unreachable: {
    message: "The model hub does not answer.",
    help: "Check its address: the name may be unknown (DNS), the server may be down, or something may block it.",
  },
};

function refusal(url: string, { status, headers }: Response): HubError {
  const wait = headers.get("retry-after");
  const texts: Record<number, Pick<ErrorData, "message" | "help">> = {
    401: {
      message: "The model hub asks for a token.",
      help: "Check the name: hubs also answer so if there is no such repository. A private or gated one needs a token.",
    },
    403: {
      message: "The model hub refuses access to this repository.",
      help: "Accept the terms on the repository's page, and pass a token of the account that has accepted them.",
    },
    404: { message: "The model hub has no such repository.", help: "Check the names of owner and repository." },
    429: {
      message: "The model hub gets too many requests from here.",
      help: `Try again ${wait && /^\d+$/.test(wait) ? `in ${wait} seconds` : "later"}. With a token more requests are allowed.`,
    },
  };
  const other = { message: "The model hub answered with an error.", help: "Try again later, or use another hub." };
  const detail = `${url} answered with status ${status}`;
  return new HubError({ code: "http_status", ...(texts[status] ?? other), detail }, { status });
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

const badAnswer = (detail: string): HubError =>
  new HubError({
    code: "hub_answer",
    message: "The model hub sent an answer that is no list of files.",
    help: "Check the name, and the address of the hub.",
    detail,
  });

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The GGUF files of a list. Anything else in an answer is ignored. */
export function readList(list: unknown): ListedFile[] {
  if (!Array.isArray(list)) throw badAnswer("no list of files");
  return list.flatMap((entry: unknown): ListedFile[] => {
    if (!isRecord(entry) || typeof entry["path"] !== "string" || typeof entry["size"] !== "number") return [];
    const { path, size, lfs } = entry as { path: string; size: number; lfs?: unknown };
    const oid = isRecord(lfs) ? lfs["oid"] : null;
    const sha256 = typeof oid === "string" && /^[0-9a-f]{64}$/.test(oid) ? oid : null;
    // Vision projectors and importance matrices have the same ending.
    return /\.gguf$/i.test(path) && !/mmproj|imatrix/i.test(path) ? [{ path, size, sha256 }] : [];
  });
}

type Chosen = [ListedFile, ...ListedFile[]];

/** A model's files have one name, and split files a number behind it. */
const modelOf = (path: string): string => path.replace(/-\d{5}-of-\d{5}\.gguf$/i, "");

/** The files of one model: those whose name has the quantization as a word. */
export function choose(files: readonly ListedFile[], quant: string | null): Chosen {
  // Of several, the one with the plainest name.
  const names = [...new Set(files.map(({ path }) => modelOf(path)))].sort((a, b) => a.length - b.length);
  const named = (wish: string) => names.find((name) => hasWord(name, wish));
  const found = quant ? named(quant) : (PREFERRED.map(named).find(Boolean) ?? names[0]);
  const chosen = found === undefined ? null : filesOf(files, found);
  if (chosen) return chosen;
  const quants = files.flatMap(({ path }) => /(?:I?Q\d\w*|B?F(?:16|32)|MXFP4)(?=[-.])/i.exec(path)?.[0] ?? []);
  const detail = [...new Set(quants)].slice(0, 30).join(", ");
  throw new HubError(
    files.length > 0
      ? {
          code: "hub_no_quant",
          message: "The repository has no such quantization.",
          help: "Choose one of those that the details list.",
          detail,
        }
      : {
          code: "hub_no_gguf",
          message: "The repository has no GGUF file.",
          help: "Choose a repository with GGUF files; their names often end in GGUF.",
          detail,
        },
  );
}

function chooseFile(files: readonly ListedFile[], path: string): Chosen {
  const chosen = files.some((file) => file.path === path) ? filesOf(files, modelOf(path)) : null;
  if (chosen) return chosen;
  const detail = files.slice(0, 30).map((file) => file.path);
  throw new HubError({
    code: "hub_no_file",
    message: "The repository has no such file.",
    help: "Choose one of those that the details list.",
    detail: detail.join(", "),
  });
}

function filesOf(files: readonly ListedFile[], model: string): Chosen | null {
  const [first, ...rest] = files
    .filter(({ path }) => modelOf(path) === model)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return first ? [first, ...rest] : null;
}

/** `Q4_K` is no word of `Q4_K_M`. */
function hasWord(path: string, word: string): boolean {
  const escaped = word.replace(/[.]/g, "\\.");
  return new RegExp(`(?:^|[-._/])${escaped}(?:[-.]|$)`, "i").test(path);
}

/** The name of a model by its file. */
export const titleOf = (path: string): string =>
  decodeURIComponent(path.split("/").at(-1) ?? path).replace(/(?:-\d{5}-of-\d{5})?\.gguf$/i, "");
