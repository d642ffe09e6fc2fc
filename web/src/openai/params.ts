// Requests of OpenAI's API are checked by name: what this API does not have is refused, and never ignored.
import type { ChatMessage, Format, Sampling } from "../protocol.gen.js";
import { invalid, unsupported } from "./errors.js";
import { readCalls } from "./tools.js";
import type { MessageParam, ResponseFormat, SamplingParams } from "./types.js";

/** Names that a provider uses for itself: nothing depends on them. */
const WITHOUT_EFFECT = ["user", "metadata", "safety_identifier", "prompt_cache_key", "prompt_cache_retention"];
/** Values that ask for what happens anyway. */
const AS_IT_IS: Readonly<Record<string, readonly unknown[]>> = {
  store: [false],
  service_tier: ["auto", "default"],
  parallel_tool_calls: [true],
  tool_choice: ["none", "auto"],
  best_of: [1],
  background: [false],
  truncation: ["disabled"],
};
const CHOICES_MAX = 128;

/** Refuses a parameter that is neither in `known` nor without effect. `null` and `undefined` are absent. */
export function check(params: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(params)) {
    if (value === null || value === undefined || known.includes(name) || WITHOUT_EFFECT.includes(name)) continue;
    if (AS_IT_IS[name]?.includes(value)) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    throw unsupported(name);
  }
}

/** A number in a range, or the default where it is absent. */
export function numberIn(name: string, value: unknown, least: number, most: number, otherwise: number): number {
  if (value === null || value === undefined) return otherwise;
  if (typeof value !== "number" || !(value >= least && value <= most))
    throw invalid(name, `"${name}" must be a number from ${least} to ${most}.`);
  return value;
}

export function wholeIn(name: string, value: unknown, least: number, most: number, otherwise: number): number {
  const number = numberIn(name, value, least, most, otherwise);
  if (!Number.isInteger(number)) throw invalid(name, `"${name}" must be a whole number.`);
  return number;
}

/** A boolean, false where it is absent. */
export function flag(name: string, value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value !== "boolean") throw invalid(name, `"${name}" must be true or false.`);
  return value;
}

export function modelName({ model }: { model: unknown }): string {
  if (typeof model !== "string" || model === "") throw invalid("model", '"model" must be the name of a model.');
  return model;
}

/** Names of parameters that `sampling` and `stops` read, and those of every request for text. */
export const SAMPLING = [
  "model",
  "temperature",
  "top_p",
  "presence_penalty",
  "frequency_penalty",
  "logit_bias",
  "seed",
  "stop",
  "n",
  "stream",
  "stream_options",
] as const;

/** How tokens are chosen. `choice` is the number of the answer, from 0: each has a seed of its own. */
export function sampling(params: SamplingParams, choice: number): Sampling {
  const seed = params.seed ?? null;
  if (seed !== null && !Number.isSafeInteger(seed)) throw invalid("seed", '"seed" must be a whole number.');
  return {
    temperature: numberIn("temperature", params.temperature, 0, 2, 1),
    // 0 means "off" to the worker; here it means the most probable token.
    topP: Math.max(numberIn("top_p", params.top_p, 0, 1, 1), 1e-6),
    presencePenalty: numberIn("presence_penalty", params.presence_penalty, -2, 2, 0),
    frequencyPenalty: numberIn("frequency_penalty", params.frequency_penalty, -2, 2, 0),
    logitBias: bias(params.logit_bias),
    ...(seed !== null && { seed: (seed + choice) >>> 0 }),
  };
}

function bias(value: unknown): [number, number][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") throw invalid("logit_bias", '"logit_bias" must map token ids to numbers.');
  return Object.entries(value).map(([id, number]) => {
    if (!/^\d{1,9}$/.test(id)) throw invalid("logit_bias", `"${id.slice(0, 40)}" is no token id.`);
    return [Number(id), numberIn("logit_bias", number, -100, 100, 0)];
  });
}

export function stops(value: unknown): string[] {
  const found = typeof value === "string" ? [value] : (value ?? []);
  if (!Array.isArray(found) || found.length > 16 || found.some((one) => typeof one !== "string" || one === ""))
    throw invalid("stop", '"stop" must be a text or a list of at most 16 texts.');
  return found;
}

/** The format that an answer is to have; null where any text will do. */
export function formatOf(name: string, given: ResponseFormat | null | undefined, stop: unknown): Format | null {
  const type = given?.type ?? "text";
  if (type === "text") return null;
  if (type !== "json_object" && type !== "json_schema") throw unsupported(`${name}: ${String(type).slice(0, 40)}`);
  if (stops(stop).length > 0) throw invalid("stop", `"stop" and "${name}" cannot be combined.`);
  // In `responses` the schema stands beside the type.
  const schema: unknown = given?.json_schema?.schema ?? given?.schema;
  if (type === "json_object") return { type: "json" };
  if (typeof schema !== "object" || schema === null)
    throw invalid(name, `"${name}" must have a JSON schema as "schema".`);
  return { type: "jsonSchema", schema };
}

export const choices = (params: SamplingParams): number => wholeIn("n", params.n, 1, CHOICES_MAX, 1);

/** Messages as chat templates know them. */
export function messages(given: unknown): ChatMessage[] {
  if (!Array.isArray(given) || given.length === 0) throw invalid("messages", '"messages" must be a list of messages.');
  return (given as MessageParam[]).map((message, at) => {
    const { role, content, ...rest } = message as MessageParam & Record<string, unknown>;
    const { tool_calls, tool_call_id, reasoning_content, name: speaker, ...unknown } = rest;
    const name = `messages[${at}]`;
    const text = (value: unknown, key: string): string => {
      if (typeof value !== "string") throw invalid(`${name}.${key}`, `"${name}.${key}" must be text.`);
      return value;
    };
    const isOf: Record<string, unknown> = { ...unknown };
    if (role !== "assistant") Object.assign(isOf, { tool_calls, reasoning_content });
    if (role !== "tool") Object.assign(isOf, { tool_call_id });
    for (const [key, value] of Object.entries(isOf))
      if (value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0))
        throw unsupported(`${name}.${key}`);
    if (role === "function") throw unsupported(`${name}.role: ${role}`);
    if (!["developer", "system", "user", "assistant", "tool"].includes(role))
      throw invalid(`${name}.role`, `"${String(role).slice(0, 40)}" is no role of a message.`);
    const toolCalls = role === "assistant" ? readCalls(tool_calls, `${name}.tool_calls`) : [];
    // A message of calls may have no content.
    const said = toolCalls.length > 0 && (content === null || content === undefined) ? "" : content;
    return {
      role: role === "developer" ? "system" : role,
      content: textOf(said, `${name}.content`),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(speaker !== null && speaker !== undefined && { name: text(speaker, "name") }),
      ...(role === "tool" && { toolCallId: text(tool_call_id, "tool_call_id") }),
      ...(role === "assistant" && reasoning_content ? { reasoning: text(reasoning_content, "reasoning_content") } : {}),
    };
  });
}

/** The text of a content; pictures and sound are refused. */
export function textOf(content: unknown, name: string): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw invalid(name, `"${name}" must be text.`);
  return content
    .map((part: { type?: unknown; text?: unknown }) => {
      const isText = ["text", "input_text", "output_text"].includes(String(part?.type));
      if (!isText) throw unsupported(`${name}: ${String(part?.type).slice(0, 40)}`);
      if (typeof part.text !== "string") throw invalid(name, `"${name}" must be text.`);
      return part.text;
    })
    .join("");
}
