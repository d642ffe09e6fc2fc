// A server on an origin of its own whose connections break, stall and lie as a case wants, and which counts what it
// sends: what was fetched again is the sum of that, less the file.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseRange } from "./server.ts";

/** An answer without the file's bytes. With the status 200 it is a page to sign in. */
export interface Refusal {
  status: number;
  retryAfter_s?: number;
  /** Not before so many bytes of the file were sent. */
  since_bytes?: number;
  /** How many requests get it; one where absent. */
  times?: number;
}

/** What goes wrong with a file. */
export interface Faults {
  /** Offsets in the file at which a connection is cut, each once. */
  cuts?: number[];
  /** Offsets at which a connection falls silent, each once. */
  stalls?: number[];
  /** Offsets whose byte is sent wrong, each once. */
  wrong?: number[];
  /** Of all connections together. Written a little at a time, so that nothing waits in the sockets' buffers. */
  bytesPerS?: number;
  /** What the next requests get, in order. */
  refusals?: Refusal[];
  /** Knows no ranges: always sends the whole file. */
  noRanges?: boolean;
  /** Never says how long anything is. */
  noLength?: boolean;
  /** Says that the file has so many bytes. */
  claims_bytes?: number;
  /** How versions of the file are told apart: by ETag where absent. */
  tag?: "date" | "none";
  /** Says that the file has this SHA-256, as hubs do of their large files. */
  linkedEtag?: string;
  /** Sends every request elsewhere; called for each. */
  redirect?: () => string;
  /** Whether the query of an address is still good; 403 where it is not. */
  admits?: (query: URLSearchParams) => boolean;
  /** Once so many bytes were sent the file is another one; connections that were open are cut. */
  change?: { after_bytes: number; bytes: Buffer; sameTag?: boolean };
}

/** A request and what became of it. */
export interface Asked {
  method: string;
  range: string | null;
  ifRange: string | null;
  status: number;
  sent_bytes: number;
  at_ms: number;
}

const PIECE_BYTES_MAX = 64 << 10;
/** A slow connection writes so often. */
const TICK_MS = 20;

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "range, if-range",
  "access-control-allow-methods": "GET, HEAD",
  "access-control-max-age": "600",
  "access-control-expose-headers":
    "content-length, content-range, etag, last-modified, accept-ranges, retry-after, x-linked-etag",
  "cache-control": "no-store",
};

/** Takes a number out of a list; false where it is not in it. */
function take(list: number[] | undefined, value: number): boolean {
  const at = list?.indexOf(value) ?? -1;
  if (at >= 0) list!.splice(at, 1);
  return at >= 0;
}

/** A file, its faults and its log. */
export class FaultyFile {
  readonly requests: Asked[] = [];
  readonly #open = new Set<ServerResponse>();
  /** What versions are told apart by. */
  #mark = "";
  #free_ms = 0;

  constructor(
    /** Its address. */
    readonly url: string,
    public bytes: Buffer,
    /** May be changed at any time. */
    public faults: Faults,
  ) {
    this.#mark = this.sha256;
  }

  get sha256(): string {
    return createHash("sha256").update(this.bytes).digest("hex");
  }

  get sent_bytes(): number {
    return this.requests.reduce((sum, { sent_bytes }) => sum + sent_bytes, 0);
  }

  /** What was sent more than once, if the file has arrived. */
  get refetched_bytes(): number {
    return this.sent_bytes - this.bytes.length;
  }

  /** Cuts every connection that sends it. */
  cut(): void {
    for (const response of this.#open) response.destroy();
  }

  /** Makes another file of it, cutting every connection. */
  become(bytes: Buffer, sameTag = false): void {
    this.bytes = bytes;
    if (!sameTag) this.#mark = this.sha256;
    this.cut();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { range = null, "if-range": ifRange = null } = request.headers as Record<string, string>;
    const asked: Asked = {
      method: request.method ?? "",
      range: range ?? null,
      ifRange: ifRange ?? null,
      status: 200,
      sent_bytes: 0,
      at_ms: performance.now(),
    };
    this.requests.push(asked);
    const refusal = this.#refusal();
    if (refusal) return this.#refuse(refusal, asked, response);
    const { redirect, admits, noRanges, noLength, claims_bytes, linkedEtag } = this.faults;
    if (admits && !admits(new URL(request.url ?? "/", this.url).searchParams))
      return this.#refuse({ status: 403 }, asked, response);
    if (redirect) {
      asked.status = 302;
      return void response.writeHead(302, { ...CORS, location: redirect() }).end();
    }
    const total = claims_bytes ?? this.bytes.length;
    const tags = this.#tags();
    // A version that is no longer there is answered with the whole file that is.
    const stale = ifRange !== null && !Object.values(tags).includes(ifRange);
    const wanted = noRanges || stale ? null : parseRange(range ?? undefined, total);
    const headers: Record<string, string> = {
      ...CORS,
      ...tags,
      ...(linkedEtag && { "x-linked-etag": `"${linkedEtag}"` }),
      "content-type": "application/octet-stream",
      "accept-ranges": noRanges ? "none" : "bytes",
    };
    if (wanted === "unsatisfiable") {
      asked.status = 416;
      return void response.writeHead(416, { ...headers, "content-range": `bytes */${total}` }).end();
    }
    const [first, last] = wanted ?? [0, total - 1];
    asked.status = wanted ? 206 : 200;
    if (wanted) headers["content-range"] = `bytes ${first}-${last}/${noLength ? "*" : total}`;
    if (!noLength) headers["content-length"] = String(last + 1 - first);
    response.writeHead(asked.status, headers);
    if (request.method === "HEAD") return void response.end();
    response.flushHeaders();
    this.#open.add(response);
    await this.#send(asked, response, first, last + 1).finally(() => this.#open.delete(response));
  }

  #refusal(): Refusal | undefined {
    const [next] = this.faults.refusals ?? [];
    if (!next || this.sent_bytes < (next.since_bytes ?? 0)) return undefined;
    next.times = (next.times ?? 1) - 1;
    if (next.times <= 0) this.faults.refusals!.shift();
    return next;
  }

  #refuse({ status, retryAfter_s }: Refusal, asked: Asked, response: ServerResponse): void {
    asked.status = status;
    const headers: Record<string, string> = { ...CORS, "content-type": "text/html" };
    if (retryAfter_s !== undefined) headers["retry-after"] = String(retryAfter_s);
    if (status === 416) headers["content-range"] = `bytes */${this.bytes.length}`;
    response.writeHead(status, headers).end("<!doctype html><title>Sign in</title>");
  }

  #tags(): Record<string, string> {
    if (this.faults.tag === "none") return {};
    if (this.faults.tag !== "date") return { etag: `"${this.#mark}"` };
    const seconds = Number.parseInt(this.#mark.slice(0, 7), 16);
    return { "last-modified": new Date(seconds * 1000).toUTCString() };
  }

  async #send(asked: Asked, response: ServerResponse, first: number, end: number): Promise<void> {
    const closed = new Promise((resolve) => response.once("close", resolve));
    const there = Math.min(end, this.bytes.length);
    for (let at = first; at < there;) {
      const { cuts = [], stalls = [], wrong = [], change } = this.faults;
      if (take(cuts, at)) return void response.destroy();
      if (take(stalls, at)) return void (await closed);
      const stops = [...cuts, ...stalls].filter((offset) => offset > at);
      const next = Math.min(there, at + this.#piece_bytes(), ...stops);
      await this.#pace(next - at);
      if (response.destroyed) return;
      const piece = Buffer.from(this.bytes.subarray(at, next));
      for (const offset of wrong.filter((offset) => offset >= at && offset < next)) {
        take(wrong, offset);
        piece[offset - at]! ^= 0xff;
      }
      await Promise.race([closed, new Promise((resolve) => response.write(piece, resolve))]);
      asked.sent_bytes += piece.length;
      at = next;
      if (change && this.sent_bytes >= change.after_bytes) {
        delete this.faults.change;
        return this.become(change.bytes, change.sameTag);
      }
    }
    // Less than was promised: without cutting the connection the other side would wait.
    if (there < end) response.destroy();
    else response.end();
  }

  #piece_bytes(): number {
    const { bytesPerS } = this.faults;
    return bytesPerS ? Math.min(PIECE_BYTES_MAX, Math.ceil((bytesPerS * TICK_MS) / 1000)) : PIECE_BYTES_MAX;
  }

  /** Waits until the connections together may send so many bytes. */
  async #pace(bytes: number): Promise<void> {
    const { bytesPerS } = this.faults;
    if (!bytesPerS) return;
    const due_ms = Math.max(performance.now(), this.#free_ms);
    this.#free_ms = due_ms + (bytes / bytesPerS) * 1000;
    await sleep(due_ms - performance.now());
  }
}

export interface FaultyServer {
  /** Serves these bytes under a path such as /model.gguf. */
  serve(path: string, bytes: Buffer, faults?: Faults): FaultyFile;
  close(): Promise<void>;
}

/** Starts one. Its host is called `localhost`, which to a page on 127.0.0.1 is another site. */
export async function serveFaulty(host = "localhost"): Promise<FaultyServer> {
  const files = new Map<string, FaultyFile>();
  const server = createServer((request, response) => {
    if (request.method === "OPTIONS") return void response.writeHead(204, CORS).end();
    const file = files.get(new URL(request.url ?? "/", "http://site").pathname);
    if (!file) return void response.writeHead(404, CORS).end();
    file.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    serve(path, bytes, faults = {}) {
      const file = new FaultyFile(`${origin}${path}`, bytes, faults);
      files.set(path, file);
      return file;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
