// The npm package `openai` on our client, by its option `fetch`.
import NpmOpenAI, { APIError } from "openai";
import { afterEach, expect, it } from "vitest";
import type { Pith } from "../src/index.js";
import { fetchOf } from "../src/openai/fetch.js";
import { OpenAI } from "../src/openai/index.js";
import type { Event } from "../src/protocol.gen.js";
import { model, openScripted, stats, status } from "./endpoint.js";

let open: Pith | undefined;
afterEach(() => open?.close());

/** OpenAI's own client, on a worker that writes "Hello there." or fails. */
async function start(fails = false): Promise<NpmOpenAI> {
  const { pith, script } = await openScripted({ ...status, models: [{ ...model, chat: true }] });
  open = pith;
  const push = script.seen.push.bind(script.seen);
  script.seen.push = (...messages): number => {
    for (const { id, request } of messages) {
      const send = (event: Event): void => script.send(id, event);
      if (request.type === "embed")
        send({ type: "done", result: { type: "vectors", vectors: [Float32Array.of(0.6, 0.8)] } });
      if (request.type !== "generate") continue;
      if (fails) {
        send({
          type: "failed",
          error: { code: "context_full", message: "Too long.", help: "Shorten it.", detail: "" },
        });
        continue;
      }
      for (const text of ["Hello ", "there."])
        send({ type: "token", text, logprobs: [], deltas: [{ type: "content", text }] });
      const message = { content: "Hello there.", reasoning: "", toolCalls: [] };
      const result = { type: "text" as const, text: message.content, message, ids: [7, 8], logprobs: null };
      send({ type: "done", result: { ...result, finishReason: "stop", stats: { ...stats, seed: 1 } } });
    }
    return push(...messages);
  };
  return new NpmOpenAI({ apiKey: "none", baseURL: "http://pith.local/v1", fetch: fetchOf(new OpenAI(pith)) });
}

const request = { model: "language", messages: [{ role: "user" as const, content: "Hi" }] };

it("answers, whole and streamed", async () => {
  const client = await start();
  const whole = await client.chat.completions.create(request);
  expect(whole.choices[0]?.message.content).toBe("Hello there.");
  const pieces = [];
  for await (const chunk of await client.chat.completions.create({ ...request, stream: true }))
    pieces.push(chunk.choices[0]?.delta.content ?? "");
  expect(pieces.filter((piece) => piece !== "")).toEqual(["Hello ", "there."]);
  const response = await client.responses.create({ model: "language", input: "Hi" });
  expect(response.output_text).toBe("Hello there.");
});

it("lists models; an unknown path is a 404", async () => {
  const client = await start();
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["language"]);
  expect((await client.models.retrieve("language")).id).toBe("language");
  await expect(client.files.list()).rejects.toMatchObject({ status: 404 });
});

it("fails with OpenAI's errors", async () => {
  const client = await start(true);
  const error = await client.chat.completions.create(request).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(APIError);
  expect(error).toMatchObject({ status: 400, code: "context_length_exceeded", type: "invalid_request_error" });
  const unknown = { ...request, store: true };
  await expect(client.chat.completions.create(unknown)).rejects.toMatchObject({ status: 400, param: "store" });
  const streamed = (async () => {
    for await (const _ of await client.chat.completions.create({ ...request, stream: true }));
  })();
  await expect(streamed).rejects.toMatchObject({ code: "context_length_exceeded" });
});

it("answers what is no request with a status", async () => {
  const { pith } = await openScripted(status);
  open = pith;
  const call = fetchOf(new OpenAI(pith));
  const url = "http://pith.local/v1";
  const noJson = await call(`${url}/chat/completions`, { method: "POST", body: "{" });
  expect([noJson.status, ((await noJson.json()) as { error: object }).error]).toMatchObject([400, { param: "body" }]);
  expect((await call(`${url}/models/%E0%A4%A`)).status).toBe(404);
});

it("hears an abort", async () => {
  const client = await start();
  const signal = AbortSignal.abort();
  await expect(client.chat.completions.create(request, { signal })).rejects.toThrow(/abort/i);
});
