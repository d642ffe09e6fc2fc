// A server as a reader may have one, for cases: it replays what a real llama-server answered, or fails in a given way.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { piecesOf, readRecording } from "../recordings/recordings.ts";

/** What it does with the next requests. */
export type Manner =
  "well" | "garbage" | "html" | "no-path" | "redirect" | "loading" | "never-ends" | "half" | "busy" | "no-models";

export interface OwnServer {
  readonly origin: string;
  /** Name and port. */
  readonly host: string;
  /** The only key that it takes; empty for none. */
  key: string;
  manner: Manner;
  /** What it writes in place of the recording. */
  text: string | null;
  /** Every request, as `METHOD path`, and the key that came with it. */
  readonly requests: { line: string; key: string | null; body: string }[];
  /** Streams that are open. */
  readonly open: number;
  close(): Promise<void>;
}

/** Lengths of the pieces that a stream is sent in: some cut a letter, some an event. */
const PIECES = [1, 2, 3, 61, 5, 700];
const PIECE_MS = 2;
const EVENTS = { "content-type": "text/event-stream" };

/** A text as a stream, a word each event. */
function streamOf(text: string): Buffer {
  const deltas = text.match(/\S+\s*/g) ?? [];
  const event = (choice: object): string => `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
  const events = deltas.map((content) => event({ index: 0, delta: { content }, finish_reason: null }));
  return Buffer.from(`${events.join("")}${event({ index: 0, delta: {}, finish_reason: "stop" })}data: [DONE]\n\n`);
}

export async function serveOwn(): Promise<OwnServer> {
  const requests: OwnServer["requests"] = [];
  const streams = new Set<ServerResponse>();
  let asked = 0;
  const state = { key: "", manner: "well" as Manner, text: null as string | null };

  async function stream(response: ServerResponse): Promise<void> {
    streams.add(response);
    response.on("close", () => streams.delete(response));
    response.writeHead(200, EVENTS);
    if (state.manner === "garbage") return void response.end('data: {"choices": [\u0000broken\n\n');
    const body = state.text === null ? readRecording("llama-server/accents").body : streamOf(state.text);
    // Half an answer ends in the middle of an event; one that never ends goes on behind a whole one.
    const middle = Math.floor(body.length / 2);
    const sent =
      { half: middle, "never-ends": body.lastIndexOf("\n\n", middle) + 2 }[String(state.manner)] ?? body.length;
    for (const piece of piecesOf(body.subarray(0, sent), PIECES)) {
      response.write(piece);
      await new Promise((wait) => setTimeout(wait, PIECE_MS));
    }
    while (state.manner === "never-ends" && streams.has(response)) {
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "again " } }] })}\n\n`);
      await new Promise((wait) => setTimeout(wait, 20));
    }
    response.end();
  }

  function replay(name: string, response: ServerResponse): void {
    const { status, headers, body } = readRecording(`llama-server/${name}`);
    response.writeHead(status, headers).end(body);
  }

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const key = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? null;
    requests.push({ line: `${request.method} ${request.url}`, key, body });
    if (state.key !== "" && key !== state.key) return replay("wrong-key", response);
    if (state.manner === "html") return void response.setHeader("content-type", "text/html").end("<h1>Welcome</h1>");
    if (state.manner === "redirect") return void response.writeHead(302, { location: "http://localhost:9/v1" }).end();
    if (state.manner === "busy") return void response.writeHead(429, { "retry-after": "7" }).end("{}");
    if (state.manner === "no-models") return void response.end('{"object":"list","data":[]}');
    if (state.manner === "loading" && ++asked % 3 !== 0) return replay("loading", response);
    if (request.url === "/v1/models" && state.manner !== "no-path") return replay("models", response);
    if (request.url === "/v1/chat/completions") return stream(response);
    return replay("no-path", response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const told = {
    origin: `http://${host}`,
    host,
    requests,
    get open(): number {
      return streams.size;
    },
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return Object.defineProperties(state, Object.getOwnPropertyDescriptors(told)) as OwnServer;
}
