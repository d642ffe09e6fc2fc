/** The small model that tells stories, and what it is asked. */

import type { Request } from "../../web/src/protocol.gen.ts";

export const STORY = "real/stories260K-f32.gguf";

export type Options = Partial<Extract<Request, { type: "generate" }>>;

/** What asks for `maxTokens` tokens, where the options say nothing else. */
export const teller =
  (maxTokens: number) =>
  (options: Options = {}) =>
    ({
      type: "generate",
      model: "story",
      prompt: { type: "text", text: "Once upon a time" },
      maxTokens,
      ...options,
    }) satisfies Request;
