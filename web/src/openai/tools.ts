// Tools of OpenAI's API, as the worker takes and gives them.
import type { MessageDelta, ToolCall, ToolSpec } from "../protocol.gen.js";
import { invalid, unsupported } from "./errors.js";
import type { ChatCompletionDelta, ChatCompletionParams, FunctionCall, FunctionTool } from "./types.js";

/** What a model may call, and what it must call. */
export interface Calls {
  tools: ToolSpec[];
  mustCall: string[] | null;
}

/** The tools of a request; none where the model may not call any. */
export function readTools({ tools, tool_choice: choice }: ChatCompletionParams): Calls {
  if (tools !== undefined && tools !== null && !Array.isArray(tools))
    throw invalid("tools", '"tools" must be a list of functions.');
  const specs = (tools ?? []).map((tool, at): ToolSpec => {
    if (tool?.type !== "function") throw unsupported(`tools[${at}].type: ${String(tool?.type).slice(0, 40)}`);
    const { name, description, parameters, strict } = (tool as FunctionTool).function ?? {};
    if (typeof name !== "string") throw invalid(`tools[${at}].function.name`, "A function must have a name.");
    return {
      name,
      description: description ?? "",
      parameters: JSON.stringify(parameters ?? { type: "object" }),
      ...(strict && { strict }),
    };
  });
  return choose(specs, choice ?? "auto");
}

/** Leaves the tools that `tool_choice` allows, in the shape of `chat.completions` or of `responses`. */
function choose(specs: ToolSpec[], choice: unknown): Calls {
  const { type = choice, allowed_tools: allowed = choice } = choice as ToolChoice;
  const list = type === "function" ? [choice] : type === "allowed_tools" ? (allowed as ToolChoice).tools : null;
  const names = ((list ?? specs) as Named[]).map((given) => given?.function?.name ?? given?.name);
  const unknown = names.find((name) => !specs.some((spec) => spec.name === name));
  if (unknown !== undefined) throw invalid("tool_choice", `There is no function "${String(unknown).slice(0, 40)}".`);
  const mode = type === "function" ? "required" : type === "allowed_tools" ? (allowed as ToolChoice).mode : type;
  if (mode === "none") return { tools: [], mustCall: null };
  if (mode === "required" && names.length > 0) return { tools: specs, mustCall: names as string[] };
  if (mode === "auto") return { tools: specs.filter(({ name }) => names.includes(name)), mustCall: null };
  throw unsupported(`tool_choice: ${String(mode).slice(0, 40)}`);
}

type Named = { name?: unknown; function?: { name?: unknown } } | undefined;

interface ToolChoice {
  type?: unknown;
  allowed_tools?: unknown;
  mode?: unknown;
  tools?: unknown;
}

/** Calls of an earlier answer. */
export function readCalls(given: unknown, name: string): ToolCall[] {
  if (given === null || given === undefined) return [];
  if (!Array.isArray(given)) throw invalid(name, `"${name}" must be a list of calls.`);
  return (given as Partial<FunctionCall>[]).map((call, at) => {
    const { id, type = "function", function: of } = call ?? {};
    if (type !== "function") throw unsupported(`${name}[${at}].type: ${String(type).slice(0, 40)}`);
    if (typeof id !== "string" || typeof of?.name !== "string" || typeof of.arguments !== "string")
      throw invalid(`${name}[${at}]`, "A call must have an id, and a function with a name and arguments as JSON text.");
    return { id, name: of.name, arguments: of.arguments };
  });
}

export const toCall = ({ id, name, arguments: text }: ToolCall): FunctionCall => ({
  id,
  type: "function",
  function: { name, arguments: text },
});

/** A delta in OpenAI's shape; null for what has none. */
export function toDelta(delta: MessageDelta): ChatCompletionDelta | null {
  switch (delta.type) {
    case "content":
      return { content: delta.text };
    case "reasoning":
      return { reasoning_content: delta.text };
    case "toolCall": {
      const { index, id, name } = delta;
      return { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] };
    }
    case "arguments":
      return { tool_calls: [{ index: delta.index, function: { arguments: delta.text } }] };
    default:
      return null;
  }
}
