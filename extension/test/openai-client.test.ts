import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chat } from "../src/host/writers/openai/client.js";
import type { Connection } from "../src/host/writers/openai/connection.js";
import { LIMITS, type Limits } from "../src/host/writers/openai/limits.js";
import { listModels } from "../src/host/writers/openai/models.js";

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>;

let server: Server;
let handler: Handler;
let seen: { method: string; url: string; key: string | undefined; body: string }[];
let connection: Connection;

beforeEach(async () => {
  seen = [];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { method = "", url = "", headers } = request;
    seen.push({ method, url, key: headers.authorization, body });
    await handler(request, response, body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  connection = { base, key: "secret", model: "m", dialect: "other", contextTokens: null };
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const request = { messages: [{ role: "user" as const, content: "Hello" }], maxTokens: 16, variant: 0 };
const never = (): AbortSignal => new AbortController().signal;
const write = (limits: Partial<Limits> = {}, signal = never(), more = {}) =>
  chat(connection, request, { signal, ...more }, { ...LIMITS, ...limits });
const models = (limits: Partial<Limits> = {}, more = () => {}) =>
  listModels(connection, never(), more, { ...LIMITS, ...limits });

const STREAM = { "content-type": "text/event-stream" };
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const piece = (content: string, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
const DONE = "data: [DONE]\n\n";

/** Answers with a stream of these texts. */
const stream =
  (...texts: string[]): Handler =>
  (_, response) => {
    response.writeHead(200, STREAM);
    for (const text of texts) response.write(text);
    response.end();
  };

describe("a chat", () => {
  it("gives the text, what it cost, and sends what was asked, with the key", async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } };
    handler = stream(piece("Good"), piece(" day", "stop"), event({ choices: [], usage }), DONE);
    const texts: string[] = [];
    const result = await write({}, never(), { onText: (text: string) => texts.push(text) });
    expect(result).toMatchObject({ text: "Good day", finish: "stop", tokens: 2, thinkingTokens: 0 });
    expect(result.usage).toEqual({ promptTokens: 9, reusedTokens: 4, tokens: 2, thinkingTokens: null });
    expect(texts).toEqual(["Good", "Good day"]);
    expect(seen).toMatchObject([{ method: "POST", url: "/v1/chat/completions", key: "Bearer secret" }]);
    expect(JSON.parse(seen[0]!.body)).toEqual({
      model: "m",
      messages: request.messages,
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 16,
      temperature: 0,
    });
  });

  it("sends no key where there is none, and fields of a dialect only to it", async () => {
    handler = stream(piece("x", "stop"), DONE);
    connection = { ...connection, key: "", dialect: "vllm" };
    await write();
    connection = { ...connection, dialect: "llama.cpp" };
    await write();
    expect(seen.map(({ key }) => key)).toEqual([undefined, undefined]);
    expect(seen.map(({ body }) => "return_progress" in JSON.parse(body))).toEqual([false, true]);
    expect(seen.map(({ body }) => JSON.parse(body).chat_template_kwargs)).toEqual(
      Array(2).fill({ enable_thinking: false }),
    );
  });

  it("draws another text for another variant", async () => {
    handler = stream(piece("x", "stop"), DONE);
    await chat(connection, { ...request, variant: 3 }, { signal: never() });
    expect(JSON.parse(seen[0]!.body)).toMatchObject({ temperature: 0.7, seed: 3 });
  });

  it.each([
    ["reasoning_content", (text: string) => event({ choices: [{ delta: { reasoning_content: text } }] })],
    ["reasoning", (text: string) => event({ choices: [{ delta: { reasoning: text } }] })],
  ])("hides and counts thinking in %s", async (_, think) => {
    handler = stream(think("Hm"), think(" so"), piece("Yes.", "stop"), DONE);
    expect(await write()).toMatchObject({ text: "Yes.", thinkingTokens: 2 });
  });

  it("hides thinking between tags that are cut anywhere", async () => {
    for (const cut of [1, 2, 3, 5, 9]) {
      const whole = "\n<think>I wonder.</think>\n\nNo <think> here.";
      const pieces = whole.match(new RegExp(`[^]{1,${cut}}`, "g")) ?? [];
      handler = stream(...pieces.map((text) => piece(text)), piece("", "stop"), DONE);
      const result = await write();
      expect(result.text.trim()).toBe("No <think> here.");
      expect(result.thinkingTokens).toBeGreaterThan(0);
    }
  });

  it("says that a model only thought, or wrote nothing", async () => {
    handler = stream(event({ choices: [{ delta: { reasoning: "Hm" }, finish_reason: "length" }] }), DONE);
    await expect(write()).rejects.toMatchObject({ code: "server_only_thought" });
    handler = stream(piece("", "stop"), DONE);
    await expect(write()).rejects.toMatchObject({ code: "server_empty" });
  });

  it.each([
    ["HTML", "text/html", "<html>Welcome</html>", "server_not_openai"],
    ["JSON without a stream", "application/json", "{}", "server_not_openai"],
    [
      "an error with status 200",
      "application/json",
      '{"error":{"message":"Loading model","code":503}}',
      "server_loading",
    ],
    ["an event that is no JSON", "text/event-stream", "data: {broken\n\n", "server_garbage"],
    ["an event that is a list", "text/event-stream", "data: [1]\n\n", "server_garbage"],
    ["HTML that calls itself a stream", "text/event-stream", "<html>\n<p>Hello\n\n", "server_garbage"],
    ["random bytes", "text/event-stream", Buffer.from([0xff, 0xfe, 0, 1, 2, 10, 10, 0xc3]), "server_garbage"],
    ["nothing", "text/event-stream", "", "server_garbage"],
    ["[DONE] alone", "text/event-stream", DONE, "server_empty"],
    ["half an answer", "text/event-stream", piece("The sea"), "server_broken_off"],
    [
      "vLLM's error inside",
      "text/event-stream",
      piece("a") + event({ error: { message: "boom", type: "InternalServerError", code: 500 } }) + DONE,
      "server_failed",
    ],
    [
      "a context that is full inside",
      "text/event-stream",
      event({ error: { message: "the request exceeds the available context size", code: 400 } }),
      "server_too_long",
    ],
    ["an error event", "text/event-stream", "event: error\ndata: engine died\n\n", "server_failed"],
  ] as const)("%s", async (_, type, body, code) => {
    handler = (_request, response) => void response.writeHead(200, { "content-type": type }).end(body);
    await expect(write()).rejects.toMatchObject({ code });
  });

  it("bounds a line, the text and the stream", async () => {
    handler = stream(`data: "${"x".repeat(3_000)}`, "y".repeat(3_000), '"\n\n', DONE);
    await expect(write({ line: 4_096 })).rejects.toMatchObject({ code: "server_too_much" });
    handler = (_, response) => {
      response.writeHead(200, STREAM);
      const more = (): void =>
        void (response.writable && response.write(piece("again and again "), () => setTimeout(more)));
      more();
    };
    await expect(write({ text: 2_000 })).rejects.toMatchObject({ code: "server_too_much" });
    handler = (_, response) => {
      response.writeHead(200, STREAM);
      const more = (): void =>
        void (response.writable && response.write(piece(" \n".repeat(50)), () => setTimeout(more)));
      more();
    };
    await expect(write({ text: 2_000 })).rejects.toMatchObject({ code: "server_too_much" });
    handler = (_, response) => {
      response.writeHead(200, STREAM);
      const more = (): void =>
        void (response.writable && response.write(": wait\n\n".repeat(100), () => setTimeout(more)));
      more();
    };
    await expect(write({ streamBytes: 20_000 })).rejects.toMatchObject({ code: "server_too_much" });
  });

  it("tells a server that does not begin from one that stops", async () => {
    handler = () => {};
    await expect(write({ first_ms: 60 })).rejects.toMatchObject({ code: "server_slow" });
    handler = (_, response) => void response.writeHead(200, STREAM).write(": ping\n\n");
    await expect(write({ first_ms: 60, silence_ms: 5_000 })).rejects.toMatchObject({ code: "server_slow" });
    handler = (_, response) => void response.writeHead(200, STREAM).write(piece("The"));
    await expect(write({ first_ms: 5_000, silence_ms: 60 })).rejects.toMatchObject({ code: "server_silent" });
  });

  it("waits longer while the server reads the prompt", async () => {
    const progress = (processed: number) =>
      event({ choices: [], prompt_progress: { total: 30, cache: 0, processed, time_ms: 1 } });
    handler = async (_, response) => {
      response.writeHead(200, STREAM);
      for (const done of [10, 20, 30]) {
        response.write(progress(done));
        await new Promise((wait) => setTimeout(wait, 120));
      }
      response.end(piece("Read.", "stop") + DONE);
    };
    const read: number[][] = [];
    const onReading = (done: number, total: number) => read.push([done, total]);
    expect(await write({ first_ms: 250 }, never(), { onReading })).toMatchObject({ text: "Read." });
    expect(read).toEqual([
      [10, 30],
      [20, 30],
      [30, 30],
    ]);
  });

  it("counts no progress below what was read before", async () => {
    const progress = (processed: number) =>
      event({ choices: [], prompt_progress: { total: 30, cache: 0, processed, time_ms: 1 } });
    handler = (_, response) => {
      response.writeHead(200, STREAM);
      let turn = 0;
      const more = (): void => {
        if (!response.writable) return;
        response.write(progress((turn += 1) % 2));
        setTimeout(more, 20);
      };
      more();
    };
    await expect(write({ first_ms: 150, all_ms: 5_000 })).rejects.toMatchObject({ code: "server_slow" });
  });

  it("ends what has no end: lines, comments before and behind a text, time", async () => {
    const forever = (begin: string, unit: string) => {
      handler = (_, response) => {
        response.writeHead(200, STREAM).write(begin);
        const more = (): void => void (response.writable && response.write(unit, () => setTimeout(more)));
        more();
      };
    };
    forever("", ":\n".repeat(500));
    await expect(write({ lines: 10_000 })).rejects.toMatchObject({ code: "server_too_much" });
    forever("", ":\r".repeat(500));
    await expect(write({ lines: 10_000 })).rejects.toMatchObject({ code: "server_too_much" });
    forever("", `:${"x".repeat(1_000)}\n`);
    await expect(write({ idleBytes: 100_000 })).rejects.toMatchObject({ code: "server_too_much" });
    forever(piece("The"), `:${"x".repeat(1_000)}\n`);
    await expect(write({ idleBytes: 100_000 })).rejects.toMatchObject({ code: "server_too_much" });
    forever(piece("The"), ":\n");
    await expect(write({ all_ms: 200 })).rejects.toMatchObject({ code: "server_endless" });
  });

  it("does not count what comes between two pieces of a text together", async () => {
    handler = async (_, response) => {
      response.writeHead(200, STREAM);
      for (let at = 0; at < 4; at++) {
        response.write(`:${"x".repeat(60_000)}\n`);
        await new Promise((wait) => setTimeout(wait, 20));
        response.write(piece("word "));
        await new Promise((wait) => setTimeout(wait, 20));
      }
      response.end(piece("end", "stop") + DONE);
    };
    expect(await write({ idleBytes: 150_000 })).toMatchObject({ text: "word word word word end" });
  });

  it("says that the connection broke off", async () => {
    handler = (_, response) => {
      response.writeHead(200, STREAM).write(piece("The sea"));
      setTimeout(() => response.destroy(), 20);
    };
    await expect(write()).rejects.toMatchObject({ code: "server_broken_off" });
  });

  it("closes the connection at once when it is stopped", async () => {
    const stop = new AbortController();
    const closed = new Promise<number>((resolve) => {
      handler = (_, response) => {
        response.on("close", () => resolve(performance.now()));
        response.writeHead(200, STREAM).write(piece("The"));
      };
    });
    const work = write({}, stop.signal, { onText: () => stop.abort(new Error("stopped")) });
    const begun_ms = performance.now();
    await expect(work).rejects.toThrow("stopped");
    expect((await closed) - begun_ms).toBeLessThan(1_000);
  });
});

describe("models", () => {
  const list = (data: unknown) => stream(JSON.stringify({ object: "list", data }));

  it("are listed with their context, and the server's dialect", async () => {
    handler = list([{ id: "a", owned_by: "vllm", max_model_len: 8192 }, { id: "b" }, { id: 7 }, null]);
    expect(await models()).toEqual({
      models: [
        { id: "a", contextTokens: 8192 },
        { id: "b", contextTokens: null },
      ],
      dialect: "vllm",
      isCut: false,
    });
    handler = list([{ id: "a", owned_by: "llamacpp", meta: { n_ctx: 512 } }]);
    expect(await models()).toMatchObject({ models: [{ contextTokens: 512 }], dialect: "llama.cpp" });
  });

  it("are bounded", async () => {
    handler = list(Array.from({ length: 1_500 }, (_, at) => ({ id: `m${at}` })));
    const { models: found, isCut } = await models();
    expect([found.length, isCut]).toEqual([1_000, true]);
    handler = list([{ id: "x".repeat(5_000) }]);
    await expect(models({ listBytes: 1_000 })).rejects.toMatchObject({ code: "server_too_much" });
    handler = list([]);
    await expect(models()).rejects.toMatchObject({ code: "server_no_models" });
    handler = stream("<html>");
    await expect(models()).rejects.toMatchObject({ code: "server_not_openai" });
  });

  it("are waited for while the server loads", async () => {
    let asked = 0;
    handler = (_, response) => {
      asked += 1;
      if (asked > 3) return void response.end('{"data":[{"id":"m"}]}');
      response.writeHead(503).end('{"error":{"message":"Loading model","type":"unavailable_error","code":503}}');
    };
    let told = 0;
    await models({ poll_ms: 5 }, () => (told += 1));
    expect([asked, told]).toEqual([4, 3]);
    asked = -1e9;
    await expect(models({ poll_ms: 5, loading_ms: 40 })).rejects.toMatchObject({ code: "server_loading" });
  });

  it("never follow a redirect", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      handler = (_, response) => void response.writeHead(status, { location: "/elsewhere" }).end();
      await expect(models()).rejects.toMatchObject({ code: "server_redirect" });
    }
    expect(seen.every(({ url }) => url === "/v1/models")).toBe(true);
  });

  it("say that there is no connection, and never tell the key", async () => {
    server.close();
    server.closeAllConnections();
    const failure = await models().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "server_unreachable" });
    expect(JSON.stringify((failure as { toData(): object }).toData())).not.toContain("secret");
    connection = { ...connection, base: connection.base.replace("http:", "https:") };
    await expect(models()).rejects.toMatchObject({ code: "server_unreachable_tls" });
  });
});
