// What a real llama-server answered, byte for byte, in pieces of every length that a network can make of it.
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { piecesOf, readRecording, type Recording } from "../../e2e/recordings/recordings.js";
import { chat } from "../src/host/writers/openai/client.js";
import type { Connection } from "../src/host/writers/openai/connection.js";
import { LIMITS } from "../src/host/writers/openai/limits.js";
import { listModels } from "../src/host/writers/openai/models.js";
import { readEvents, type StreamEvent } from "../src/host/writers/openai/stream.js";

let server: Server;
let connection: Connection;
/** What is answered next; the last one is repeated. */
let answers: Recording[] = [];
let lengths: readonly number[] = [1 << 20];

const flushed = (response: ServerResponse, piece: Buffer): Promise<void> =>
  new Promise((done) => response.write(piece, () => setImmediate(done)));

beforeAll(async () => {
  server = createServer(async (_, response) => {
    const { status, headers, body } = (answers.length > 1 ? answers.shift() : answers[0])!;
    response.writeHead(status, headers);
    for (const piece of piecesOf(body, lengths)) await flushed(response, piece);
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  connection = { base, key: "k", model: "smollm2-135m-instruct", dialect: "llama.cpp", contextTokens: null };
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const request = { messages: [{ role: "user" as const, content: "Hello" }], maxTokens: 48, variant: 0 };
const never = (): AbortSignal => new AbortController().signal;
const replay = (...names: string[]): void => {
  answers = names.map((name) => readRecording(`llama-server/${name}`));
};
const write = () => chat(connection, request, { signal: never() });

/** The text of a recording, found in another way than by the parser. */
function textOf(name: string): string {
  const lines = readRecording(`llama-server/${name}`).body.toString().split("\n");
  const events = lines.filter((line) => line.startsWith("data: {")).map((line) => JSON.parse(line.slice(6)));
  return events.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
}

describe("a recorded stream", () => {
  it.each(["chat", "accents", "cut"])("%s is the same text in pieces of any lengths", async (name) => {
    const expected = textOf(name);
    expect(expected.length).toBeGreaterThan(5);
    for (lengths of [[1 << 20], [7], [1, 2, 3, 500], [333, 1]]) {
      replay(name);
      const { text, usage, tokensPerSecond, thinkingTokens } = await write();
      expect(text).toBe(expected);
      expect(usage?.promptTokens).toBeGreaterThan(10);
      expect(usage?.tokens).toBeGreaterThan(4);
      expect(tokensPerSecond).toBeGreaterThan(0);
      expect(thinkingTokens).toBe(0);
    }
  });

  it("has letters of several bytes, which pieces cut", () => expect(textOf("accents")).toMatch(/ü|é|東|🙂/));

  it("says why it ended", async () => {
    lengths = [64];
    replay("cut");
    expect(await write()).toMatchObject({ finish: "length", tokens: 8 });
    replay("chat");
    expect(await write()).toMatchObject({ finish: "stop" });
  });

  it("is cut at every byte without anything but whole events, and no error of ours", () => {
    const { body } = readRecording("llama-server/chat");
    const collect = (bytes: Buffer, at: number, newline: string): StreamEvent[] => {
      const events: StreamEvent[] = [];
      const reader = readEvents(LIMITS.line, (event) => events.push(event));
      const decoder = new TextDecoder();
      for (const part of [bytes.subarray(0, at), bytes.subarray(at)]) {
        reader.feed(decoder.decode(part, { stream: true }).replaceAll("\n", newline));
      }
      reader.end();
      return events;
    };
    const whole = JSON.stringify(collect(body, 0, "\n"));
    for (let at = 1; at < body.length; at += at < 1_500 ? 1 : 29)
      expect(JSON.stringify(collect(body, at, "\n"))).toBe(whole);
    for (const newline of ["\r\n", "\r"]) {
      for (let at = 1; at < body.length; at += 97) expect(JSON.stringify(collect(body, at, newline))).toBe(whole);
    }
  });

  it("that breaks off anywhere is an error, and never half an answer", async () => {
    const { status, headers, body } = readRecording("llama-server/cut");
    lengths = [1 << 20];
    const end = body.indexOf('"finish_reason":"length"');
    for (const at of [0, 1, 40, Math.floor(end / 2), end - 30]) {
      answers = [{ status, headers, body: body.subarray(0, at) }];
      await expect(write()).rejects.toMatchObject({ code: expect.stringMatching(/^server_(?:garbage|broken_off)$/) });
    }
  });
});

describe("a recorded refusal", () => {
  it.each([
    ["too-long", "server_too_long"],
    ["wrong-key", "server_key_refused"],
    ["no-path", "server_path"],
    ["bad-request", "server_refused"],
  ])("%s", async (name, code) => {
    for (lengths of [[1 << 20], [3]]) {
      replay(name);
      await expect(write()).rejects.toMatchObject({ code });
    }
  });

  it("tells how long a prompt may be", async () => {
    replay("too-long");
    await expect(write()).rejects.toMatchObject({ room: { promptTokens: 1431, contextTokens: 512 } });
  });

  it("of a model that loads is waited for", async () => {
    replay("loading", "loading", "models");
    let told = 0;
    const list = await listModels(connection, never(), () => (told += 1), { ...LIMITS, poll_ms: 5 });
    expect(told).toBe(2);
    expect(list).toMatchObject({ dialect: "llama.cpp", models: [{ id: "smollm2-135m-instruct", contextTokens: 512 }] });
  });
});
