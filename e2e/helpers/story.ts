/** The small model that tells stories, and what it is asked. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "../fixtures.ts";
import { referenceDir } from "../harness/paths.ts";
import type { Request } from "../../web/src/protocol.gen.ts";

export const STORY = "real/stories260K-f32.gguf";

/** To be called at the head of a file whose tests all need it. */
export const needsStory = (): void =>
  test.skip(!existsSync(join(referenceDir(), STORY)), `skipped: the reference set here has no ${STORY}`);

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
