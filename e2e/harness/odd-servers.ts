// Servers as the world has them, each a function that answers for one file.

import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { parseRange, type Site } from "./server.ts";

/** What differs from a server that does everything. */
export interface Oddity {
  /** Headers that a page may read; all where absent. */
  exposes?: string;
  /** Gives leave to read its refusals, as nginx's `add_header` does not. */
  hidesErrors?: boolean;
  /** Refuses these methods. */
  refuses?: string[];
  /** Ignores ranges. */
  noRanges?: boolean;
  /** Breaks off what asks for a part. */
  dropsRanges?: boolean;
  /** Never says how long anything is. */
  chunked?: boolean;
  /** Compresses everything, and cuts ranges out of what it has compressed. */
  gzip?: boolean;
  /** Its mark; called for each answer. */
  etag?: () => string | undefined;
  /** Ends each connection after so many bytes. */
  cutAfter_bytes?: number;
  /** At this pace, so that the browser passes on what came before a cut. */
  pause_ms?: number;
  /** Before the first byte of each answer. */
  delay_ms?: number;
  /** Promises so many bytes more than it has. */
  more_bytes?: number;
  /** Answers so to the first requests, each with this header. */
  busy?: { times: number; status: number; retryAfter: () => string };
  /** Sends each request to an address that is good once. */
  signs?: boolean;
  /** Answers with a page. */
  page?: number;
}

const READABLE = "content-length, content-range, content-encoding, etag, last-modified, retry-after, x-linked-etag";

/** Serves bytes at a path of a site, oddly. */
export function serveOddly(site: Site, path: string, plain: Buffer, odd: Oddity): void {
  const bytes = odd.gzip ? gzipSync(plain, { level: 1 }) : plain;
  const tickets = new Set<string>();
  let { times: refusals = 0 } = odd.busy ?? {};

  site.handle(path, async (request: IncomingMessage, response: ServerResponse) => {
    const cors = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "range, if-range",
      ...(odd.exposes !== "" && { "access-control-expose-headers": odd.exposes ?? READABLE }),
      "cache-control": "no-store",
    };
    const errors = odd.hidesErrors ? {} : cors;
    const { method = "" } = request;
    if (odd.refuses?.includes(method)) return void response.writeHead(405, errors).end();
    if (method === "OPTIONS") return void response.writeHead(204, cors).end();
    const { searchParams } = new URL(request.url ?? "/", site.origin);
    const ticket = searchParams.get("ticket");
    if (odd.signs && ticket === null) {
      const next = String(Math.random());
      tickets.add(next);
      return void response.writeHead(302, { ...cors, location: `${site.url(path)}?ticket=${next}` }).end();
    }
    if (ticket !== null && !tickets.delete(ticket)) return void response.writeHead(403, errors).end();
    if (odd.busy && refusals > 0) {
      refusals -= 1;
      const { status, retryAfter } = odd.busy;
      return void response.writeHead(status, { ...errors, "retry-after": retryAfter() }).end();
    }
    if (odd.page) {
      const headers = { ...cors, "content-type": "text/html" };
      return void response.writeHead(odd.page, headers).end("<!doctype html><title>Sign in</title>".repeat(99));
    }
    const { range } = request.headers;
    if (odd.dropsRanges && range) return void response.destroy();
    await sleep(odd.delay_ms ?? 0);
    if (response.destroyed) return;
    const wanted = odd.noRanges ? null : parseRange(range, bytes.length);
    if (wanted === "unsatisfiable")
      return void response.writeHead(416, { ...errors, "content-range": `bytes */${bytes.length}` }).end();
    const [first, last] = wanted ?? [0, bytes.length - 1];
    const etag = odd.etag ? odd.etag() : '"one"';
    const length = last + 1 - first;
    response.writeHead(wanted ? 206 : 200, {
      ...cors,
      "content-type": "application/octet-stream",
      ...(etag && { etag }),
      ...(odd.gzip && { "content-encoding": "gzip" }),
      ...(!odd.chunked && { "content-length": String(length + (odd.more_bytes ?? 0)) }),
      ...(wanted && { "content-range": `bytes ${first}-${last}/${bytes.length}` }),
    });
    const end = Math.min(first + length, first + (odd.cutAfter_bytes ?? Infinity));
    for (let at = first; at < end && !response.destroyed; at += 64 << 10) {
      await new Promise((resolve) => {
        response.once("close", resolve);
        response.write(bytes.subarray(at, Math.min(end, at + (64 << 10))), resolve);
      });
      response.removeAllListeners("close");
      await sleep(odd.pause_ms ?? 0);
    }
    if (end < first + length || odd.more_bytes) response.destroy();
    else response.end();
  });
}
