import type { Sampling } from "../protocol.gen.js";
import { unsupported } from "./errors.js";
import { type Expected, type PromptInput, readExpected } from "./prompt.js";
import type { CreateOptions } from "./session.js";

export type SamplingMode = "most-predictable" | "predictable" | "balanced" | "creative" | "most-creative";

const MODES: Readonly<Record<SamplingMode, Sampling>> = {
  "most-predictable": { temperature: 0 },
  predictable: { temperature: 0.3, topP: 0.9 },
  balanced: { temperature: 0.7, topP: 0.95 },
  creative: { temperature: 1, topP: 0.95 },
  "most-creative": { temperature: 1.3, topP: 0.98 },
};

export interface LanguageModelCoreOptions {
  expectedInputs?: readonly Expected[];
  expectedOutputs?: readonly Expected[];
  tools?: readonly unknown[];
  samplingMode?: SamplingMode;
  /** With `topK`, instead of `samplingMode`. */
  temperature?: number;
  topK?: number;
}

export interface LanguageModelCreateOptions extends LanguageModelCoreOptions, CreateOptions {
  initialPrompts?: readonly { role: string; content: PromptInput }[];
}

export interface LanguageModelPromptOptions {
  /** A JSON schema, or a regular expression that the whole answer matches. */
  responseConstraint?: object | null;
  /** Keeps the constraint out of the prompt. */
  omitResponseConstraintInput?: boolean;
  signal?: AbortSignal;
}

/** Checks what both statics check; returns the languages that are expected. */
export function check({
  expectedInputs,
  expectedOutputs,
  tools,
  samplingMode,
  temperature,
  topK,
}: LanguageModelCoreOptions): {
  languages: string[];
  sampling: Sampling;
} {
  const languages = readExpected([expectedInputs, expectedOutputs]);
  if (tools && tools.length > 0) throw unsupported("Tool use");
  if (samplingMode !== undefined && !(samplingMode in MODES))
    throw new TypeError(`"${String(samplingMode).slice(0, 40)}" is no sampling mode.`);
  if ((temperature === undefined) !== (topK === undefined)) throw unsupported("Only one of temperature and topK");
  if (temperature === undefined || topK === undefined)
    return { languages, sampling: MODES[samplingMode ?? "balanced"] };
  if (!(temperature >= 0)) throw new RangeError("The temperature must be at least 0.");
  if (!(topK >= 1)) throw new RangeError("topK must be at least 1.");
  return { languages, sampling: { temperature, topK: Math.trunc(topK) } };
}
