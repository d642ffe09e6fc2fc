import {
  type LanguageModelV4CallOptions,
  type LanguageModelV4Prompt,
  type SharedV4Warning,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import type { ChatMessage, Format, GenerateOptions, Prompt, Sampling, ToolCall } from "@pith/web";

/** A conversation with the tools that may be called, and those of which one must be. */
export function toPrompt({ prompt, tools, toolChoice }: LanguageModelV4CallOptions): Prompt {
  const specs = (tools ?? []).map((tool) => {
    if (tool.type !== "function") throw new UnsupportedFunctionalityError({ functionality: `tools of ${tool.type}` });
    const { name, description = "", inputSchema, strict = false } = tool;
    return { name, description, parameters: JSON.stringify(inputSchema), strict };
  });
  return {
    type: "chat",
    messages: toMessages(prompt),
    tools: toolChoice?.type === "none" ? [] : specs,
    mustCall:
      toolChoice?.type === "tool"
        ? [toolChoice.toolName]
        : toolChoice?.type === "required"
          ? specs.map(({ name }) => name)
          : null,
    parse: true,
  };
}

type ToolOutput = Extract<
  Extract<LanguageModelV4Prompt[number], { role: "tool" }>["content"][number],
  { type: "tool-result" }
>["output"];

/** A tool's result as text. */
function resultText(output: ToolOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "execution-denied":
      return output.reason ?? "The call was denied.";
    default:
      throw new UnsupportedFunctionalityError({ functionality: `results of type ${output.type}` });
  }
}

/** Messages as chat templates know them. */
function toMessages(prompt: LanguageModelV4Prompt): ChatMessage[] {
  return prompt.flatMap((message): ChatMessage[] => {
    if (message.role === "system") return [{ role: "system", content: message.content }];
    if (message.role === "tool")
      return message.content.map((part) => {
        if (part.type !== "tool-result")
          throw new UnsupportedFunctionalityError({ functionality: `parts of type ${part.type}` });
        const { toolCallId, toolName: name, output } = part;
        return { role: "tool", content: resultText(output), toolCallId, name };
      });
    const toolCalls: ToolCall[] = [];
    const texts: string[] = [];
    for (const part of message.content) {
      if (part.type === "text") texts.push(part.text);
      else if (part.type === "tool-call")
        toolCalls.push({ id: part.toolCallId, name: part.toolName, arguments: JSON.stringify(part.input) });
      // What a model thought is not shown to it again.
      else if (part.type !== "reasoning")
        throw new UnsupportedFunctionalityError({ functionality: `parts of type ${part.type}` });
    }
    return [{ role: message.role, content: texts.join(""), ...(toolCalls.length > 0 && { toolCalls }) }];
  });
}

const formatOf = (schema: unknown): Format => (schema ? { type: "jsonSchema", schema } : { type: "json" });

/** Options of a generation, and warnings about what has no effect. What would change the result is refused. */
export function toOptions(call: LanguageModelV4CallOptions): { options: GenerateOptions; warnings: SharedV4Warning[] } {
  const { responseFormat, tools, toolChoice, reasoning } = call;
  const stop = call.stopSequences ?? [];
  const isJson = responseFormat?.type === "json";
  if (isJson && stop.length > 0)
    throw new UnsupportedFunctionalityError({ functionality: "stopSequences with responses in JSON (responseFormat)" });
  if (isJson && tools && tools.length > 0 && toolChoice?.type !== "none")
    throw new UnsupportedFunctionalityError({ functionality: "tools with responses in JSON (responseFormat)" });
  const mustCall = toolChoice?.type === "required" || toolChoice?.type === "tool";
  const hasStrict = toolChoice?.type !== "none" && tools?.some((tool) => tool.type === "function" && tool.strict);
  if (stop.length > 0 && (mustCall || hasStrict))
    throw new UnsupportedFunctionalityError({ functionality: "stopSequences with a required call or a strict tool" });
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
