import {
  type LanguageModelV4CallOptions,
  type LanguageModelV4Prompt,
  type SharedV4Warning,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import type { ChatMessage, Format, GenerateOptions, Sampling } from "@pith/web";

/** Messages as chat templates know them. */
export function toMessages(prompt: LanguageModelV4Prompt): ChatMessage[] {
  return prompt.map((message) => {
    if (message.role === "system") return { role: "system", content: message.content };
    if (message.role === "tool") throw new UnsupportedFunctionalityError({ functionality: "messages of tools" });
    const texts = message.content.flatMap((part) => {
      // What a model thought is not shown to it again.
      if (part.type === "reasoning") return [];
      if (part.type !== "text")
        throw new UnsupportedFunctionalityError({ functionality: `parts of type ${part.type}` });
      return [part.text];
    });
    return { role: message.role, content: texts.join("") };
  });
}

const formatOf = (schema: unknown): Format => (schema ? { type: "jsonSchema", schema } : { type: "json" });

/** Options of a generation, and warnings about what has no effect. What would change the result is refused. */
export function toOptions(call: LanguageModelV4CallOptions): { options: GenerateOptions; warnings: SharedV4Warning[] } {
  const { responseFormat, tools, toolChoice, reasoning } = call;
  const stop = call.stopSequences ?? [];
  if (responseFormat?.type === "json" && stop.length > 0)
    throw new UnsupportedFunctionalityError({ functionality: "stopSequences with responses in JSON (responseFormat)" });
  if (tools && tools.length > 0 && toolChoice?.type !== "none")
    throw new UnsupportedFunctionalityError({ functionality: "tools" });
  const warnings: SharedV4Warning[] = [];
  if (reasoning && reasoning !== "provider-default") warnings.push({ type: "unsupported", feature: "reasoning" });
  const sampling: Sampling = {
    ...(call.temperature !== undefined && { temperature: call.temperature }),
    ...(call.topP !== undefined && { topP: call.topP }),
    ...(call.topK !== undefined && { topK: call.topK }),
    ...(call.presencePenalty !== undefined && { presencePenalty: call.presencePenalty }),
    ...(call.frequencyPenalty !== undefined && { frequencyPenalty: call.frequencyPenalty }),
    ...(call.seed !== undefined && { seed: call.seed >>> 0 }),
  };
  const options: GenerateOptions = {
    sampling,
    // Where no limit is given, the context's end is the limit.
    maxTokens: call.maxOutputTokens ?? 1 << 24,
    stop,
    ...(responseFormat?.type === "json" && { format: formatOf(responseFormat.schema) }),
    ...(call.abortSignal && { signal: call.abortSignal }),
  };
  return { options, warnings };
}
