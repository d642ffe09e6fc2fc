// A file server on 127.0.0.1 for tests: folders under prefixes, correct types, byte ranges. Nothing leaves the machine.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".vtt": "text/vtt; charset=utf-8",
  ".png": "image/png",
  ".pdf": "application/pdf",
  ".wasm": "application/wasm",
  ".gguf": "application/octet-stream",
  ".bin": "application/octet-stream",
};

/** Answers a request itself instead of a file; for tests that need a broken or slow server. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface Site {
  /** Such as http://127.0.0.1:40123, without a slash at the end. */
  readonly origin: string;
  /** The address of a path. */
  url(path: string): string;
  /** Serves `folder` under `prefix` (which begins and ends with a slash). The longest prefix wins. */
  mount(prefix: string, folder: string): void;
  /** Lets `handler` answer exactly this path. */
  handle(path: string, handler: Handler): void;
  /** From now on the site's pages are isolated from other origins, which gives them threads and precise clocks. */
  isolate(): void;
  /** From now on every response has this header. */
  send(name: string, value: string): void;
  /** No longer. */
  plain(): void;
  /** Every request so far, as `METHOD path`, for tests that count them. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Starts a server on a free port of an address. `mounts` maps prefixes to folders. */
export async function serve(mounts: Record<string, string>, address = "127.0.0.1"): Promise<Site> {
  const folders = new Map(Object.entries(mounts));
  const handlers = new Map<string, Handler>();
  const requests: string[] = [];
  const always: Record<string, string> = {};
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname);
    requests.push(`${request.method} ${path}`);
    for (const [name, value] of Object.entries(always)) response.setHeader(name, value);
    const handler = handlers.get(path);
    const done = handler ? Promise.resolve(handler(request, response)) : sendPath(folders, path, request, response);
    done.catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, address, resolve);
  });
  const origin = `http://${address}:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: (path) => new URL(path, `${origin}/`).href,
    mount: (prefix, folder) => void folders.set(prefix, folder),
    handle: (path, handler) => void handlers.set(path, handler),
    send: (name, value) => void (always[name] = value),
    plain: () => Object.keys(always).forEach((name) => delete always[name]),
    isolate: () => {
      always["cross-origin-opener-policy"] = "same-origin";
      always["cross-origin-embedder-policy"] = "require-corp";
    },
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function sendPath(
  folders: Map<string, string>,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const prefix = [...folders.keys()].filter((key) => path.startsWith(key)).sort((a, b) => b.length - a.length)[0];
  const folder = prefix === undefined ? undefined : folders.get(prefix);
  if (prefix === undefined || folder === undefined) return notFound(response, path);
  const file = normalize(join(folder, path.slice(prefix.length) || "index.html"));
  if (file !== normalize(folder) && !file.startsWith(normalize(folder) + sep)) return notFound(response, path);
  const info = await stat(file).catch(() => null);
  if (info?.isDirectory()) return sendFile(join(file, "index.html"), request, response);
  return info ? sendFile(file, request, response) : notFound(response, path);
}

function notFound(response: ServerResponse, path: string): void {
  // Chromium asks for an icon by itself; a 404 there would be logged as a console error of the page.
  response.writeHead(path === "/favicon.ico" ? 204 : 404, { "content-type": "text/plain" });
  response.end(path === "/favicon.ico" ? undefined : `no file for ${path}`);
}

async function sendFile(file: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const info = await stat(file).catch(() => null);
  if (!info) return notFound(response, file);
  const headers: Record<string, string> = {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    "accept-ranges": "bytes",
    "cache-control": "no-store",
    etag: `"${info.size}-${Math.trunc(info.mtimeMs)}"`,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "content-length, content-range, etag, accept-ranges",
  };
  const range = parseRange(request.headers.range, info.size);
  if (range === "unsatisfiable") {
    response.writeHead(416, { ...headers, "content-range": `bytes */${info.size}` }).end();
    return;
  }
  const [first, last] = range ?? [0, info.size - 1];
  if (range) headers["content-range"] = `bytes ${first}-${last}/${info.size}`;
  headers["content-length"] = String(last - first + 1);
  response.writeHead(range ? 206 : 200, headers);
  if (request.method === "HEAD" || info.size === 0) {
    response.end();
    return;
  }
  createReadStream(file, { start: first, end: last }).pipe(response);
}

/** First and last byte of a single `bytes=` range; null where the header is absent or of another form. */
export function parseRange(header: string | undefined, size_bytes: number): [number, number] | "unsatisfiable" | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return null;
  const first = match[1] === "" ? Math.max(0, size_bytes - Number(match[2])) : Number(match[1]);
  const last = match[1] === "" || match[2] === "" ? size_bytes - 1 : Math.min(Number(match[2]), size_bytes - 1);
  return first > last ? "unsatisfiable" : [first, last];
}
