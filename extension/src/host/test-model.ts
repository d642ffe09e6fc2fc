import type { FetchOptions, Pith } from "@pith/web";
import type { TestResult, ToModels } from "../models-wire.js";

/** Longest text of a test, in tokens. */
const TOKENS_MAX = 48;

/** Loads a stored model, has it write a little, finds out what it may write of pages, and frees its memory again. */
export async function testModel(
  pith: Pith,
  { name, prompt, backend }: Extract<ToModels, { type: "test" }>,
  options: FetchOptions,
): Promise<TestResult> {
  const info = await pith.load(name, { stored: name }, { ...options, backend });
  try {
    const begun_ms = performance.now();
    let firstTokenMs = 0;
    const input = info.chat
      ? { type: "chat" as const, messages: [{ role: "user", content: prompt }] }
      : { type: "text" as const, text: prompt };
    const generation = pith.generate(name, input, { ...options, maxTokens: TOKENS_MAX });
    for await (const _ of generation) firstTokenMs ||= performance.now() - begun_ms;
    const { text, stats } = await generation.result;
    const tokensPerS = stats.decodeMs > 0 ? (stats.tokens * 1000) / stats.decodeMs : 0;
    const { tier } = await pith.testWriter(name, options);
    return { text, tokensPerS, firstTokenMs, loadMs: info.loadMs, backend: info.backend, tier };
  } finally {
    await pith.unload(name).catch(() => {});
  }
}
