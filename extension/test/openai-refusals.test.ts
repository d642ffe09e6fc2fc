import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isLoading, readRefusal, refusalError, waitSeconds } from "../src/host/writers/openai/refusals.js";
// @ts-expect-error: a build script without types
import { readMessages } from "../build/messages.mjs";

const names = { host: "gpu:8000", tried: "http://gpu:8000/v1/models", hasKey: true, retryAfter: null };

/** Bodies as these servers send them. */
const VLLM_TOO_LONG = {
  error: {
    message:
      "You passed 1015 input tokens and requested 10 output tokens. However, the model's context length is only 1024 tokens, resulting in a maximum input length of 1014 tokens.",
    type: "BadRequestError",
    param: "input_tokens",
    code: 400,
  },
};
const OLD_VLLM_TOO_LONG = {
  object: "error",
  message:
    "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion).",
  type: "BadRequestError",
  param: null,
  code: 400,
};

describe("a refusal", () => {
  it.each([
    ["vLLM without a key", 401, { error: "Unauthorized" }, "server_key_refused"],
    ["a proxy's page", 403, "<html>Forbidden</html>", "server_forbidden"],
    ["FastAPI's path", 404, { detail: "Not Found" }, "server_path"],
    ["a method", 405, { detail: "Method Not Allowed" }, "server_path"],
    [
      "vLLM's model",
      404,
      { error: { message: "The model `x` does not exist.", type: "NotFoundError", code: 404 } },
      "server_model",
    ],
    [
      "Ollama's model",
      404,
      { error: { message: 'model "x" not found, try pulling it first', type: "api_error" } },
      "server_model",
    ],
    ["vLLM's context", 400, VLLM_TOO_LONG, "server_too_long"],
    ["old vLLM's context", 400, OLD_VLLM_TOO_LONG, "server_too_long"],
    ["OpenAI's context", 400, { error: { message: "too long", code: "context_length_exceeded" } }, "server_too_long"],
    ["a body that is too large", 413, "", "server_too_long"],
    ["too many requests", 429, { error: { message: "slow down" } }, "server_busy"],
    [
      "a model that loads",
      503,
      { error: { message: "Loading model", type: "unavailable_error", code: 503 } },
      "server_loading",
    ],
    ["an overload", 503, "upstream", "server_failed"],
    ["a crash", 500, "", "server_failed"],
    ["a field that it does not know", 422, { detail: [{ msg: "extra" }] }, "server_refused"],
  ] as const)("%s", (_, status, body, code) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    expect(refusalError(readRefusal(status, text), names)).toMatchObject({ code });
  });

  it("tells how much is too long", () => {
    const room = (body: unknown) => refusalError(readRefusal(400, JSON.stringify(body)), names).room;
    expect(room(VLLM_TOO_LONG)).toEqual({ promptTokens: 1015, contextTokens: 1024 });
    expect(room(OLD_VLLM_TOO_LONG)).toEqual({ promptTokens: 6616, contextTokens: 6048 });
    const llama = {
      error: { code: 400, message: "", type: "exceed_context_size_error", n_prompt_tokens: 900, n_ctx: 512 },
    };
    expect(room(llama)).toEqual({ promptTokens: 900, contextTokens: 512 });
  });

  it("asks for a key where none was sent", () => {
    expect(refusalError(readRefusal(401, ""), { ...names, hasKey: false })).toMatchObject({
      code: "server_key_missing",
    });
  });

  it("says when to come back", () => {
    const busy = refusalError(readRefusal(429, ""), { ...names, retryAfter: "17" });
    expect(busy).toMatchObject({ code: "server_busy_wait", detail: expect.stringMatching(/^gpu:8000\n17\n/) });
    const now_ms = Date.parse("Mon, 23 Nov 2026 05:00:00 GMT");
    expect(waitSeconds("Mon, 23 Nov 2026 05:00:30 GMT", now_ms)).toBe(30);
    for (const header of [null, "", "soon", "-1", "1e99", "999999"]) expect(waitSeconds(header, now_ms)).toBeNull();
  });

  it("only a model that loads is waited for", () => {
    expect(isLoading(readRefusal(503, '{"error":{"message":"Loading model"}}'))).toBe(true);
    expect(isLoading(readRefusal(503, "Service Unavailable"))).toBe(false);
    expect(isLoading(readRefusal(500, "loading failed"))).toBe(false);
  });

  it("keeps details short, whatever a server sends", () => {
    const { detail } = refusalError(readRefusal(500, "x".repeat(1 << 16)), names);
    expect(detail.length).toBeLessThan(2_000);
  });
});

it("every error of a server has its sentence and what to do", () => {
  const source = readFileSync(new URL("../src/host/writers/openai/errors.ts", import.meta.url), "utf8");
  const codes = [...source.matchAll(/\| "(server_\w+)"/g)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(20);
  const messages = Object.keys(readMessages("en"));
  expect(messages).toEqual(expect.arrayContaining(codes.flatMap((code) => [`error_${code}`, `error_${code}_help`])));
  const worded = messages.filter((key) => key.startsWith("error_server_") && !key.endsWith("_help"));
  expect(worded.sort()).toEqual(codes.map((code) => `error_${code}`).sort());
});
