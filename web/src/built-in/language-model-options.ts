import type { Sampling, ToolSpec } from "../protocol.gen.js";
import { unsupported } from "./errors.js";
import { type Expected, type PromptMessage, readExpected } from "./prompt.js";
import type { CreateOptions } from "./session.js";
import { type LanguageModelTool, readTools } from "./tools.js";

export type SamplingMode =
  | "most-predictable"
  | "predictable"
  | "slightly-predictable"
  | "balanced"
  | "slightly-creative"
  | "creative"
  | "most-creative";

const MODES: Readonly<Record<SamplingMode, Sampling>> = {
  "most-predictable": { temperature: 0 },
  predictable: { temperature: 0.3, topP: 0.9 },
  "slightly-predictable": { temperature: 0.5, topP: 0.95 },
  balanced: { temperature: 0.7, topP: 0.95 },
  "slightly-creative": { temperature: 0.85, topP: 0.95 },
  creative: { temperature: 1, topP: 0.95 },
  "most-creative": { temperature: 1.3, topP: 0.98 },
};

export interface LanguageModelCoreOptions {
  expectedInputs?: readonly Expected[];
  expectedOutputs?: readonly Expected[];
  /** What the model may call; needs `{ type: "tool-call" }` in `expectedOutputs`. */
  tools?: readonly LanguageModelTool[];
  samplingMode?: SamplingMode;
  /** With `topK`, where `samplingMode` is absent. */
  temperature?: number;
  topK?: number;
}

export interface LanguageModelCreateOptions extends LanguageModelCoreOptions, CreateOptions {
  initialPrompts?: readonly PromptMessage[];
}

export interface LanguageModelPromptOptions {
  /** A JSON schema, or a regular expression that the whole answer matches. */
  responseConstraint?: object | null;
  /** Keeps the constraint out of the prompt. */
  omitResponseConstraintInput?: boolean;
  signal?: AbortSignal;
}

/** Options that both statics take, checked. */
export interface Checked {
  languages: string[];
  sampling: Sampling;
  /** Null where temperature and topK were given instead. */
  samplingMode: SamplingMode | null;
  tools: ToolSpec[];
  /** Types of input beside text. */
  types: ReadonlySet<string>;
}

/** Checks what both statics take. */
export function check(options: LanguageModelCoreOptions): Checked {
  const { expectedInputs, expectedOutputs, tools, samplingMode, temperature, topK } = options;
  const inputs = readExpected(expectedInputs, ["text", "tool-call", "tool-response"]);
  const outputs = readExpected(expectedOutputs, ["text", "tool-call"]);
  const common = {
    languages: [...inputs.languages, ...outputs.languages],
    types: inputs.types,
    tools: readTools(tools, outputs.types.has("tool-call")),
  };
  if (samplingMode !== undefined && !Object.hasOwn(MODES, samplingMode))
    throw new TypeError(`"${String(samplingMode).slice(0, 40)}" is no sampling mode.`);
  if (samplingMode !== undefined) return { ...common, samplingMode, sampling: MODES[samplingMode] };
  if ((temperature === undefined) !== (topK === undefined)) throw unsupported("Only one of temperature and topK");
  if (temperature === undefined || topK === undefined)
    return { ...common, samplingMode: "balanced", sampling: MODES.balanced };
  if (!(temperature >= 0)) throw new RangeError("The temperature must be at least 0.");
  if (!(topK >= 1)) throw new RangeError("topK must be at least 1.");
  return { ...common, samplingMode: null, sampling: { temperature, topK: Math.trunc(topK) } };
}
