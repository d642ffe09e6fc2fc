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
  return choose(specs, choice);
}

/** Leaves the tools that `tool_choice` allows. */
function choose(specs: ToolSpec[], choice: unknown): Calls {
  if (choice === undefined || choice === null || choice === "auto") return { tools: specs, mustCall: null };
  if (choice === "none") return { tools: [], mustCall: null };
  const { type, function: of, allowed_tools: allowed } = choice as ToolChoice;
  const known = (given: { function?: { name?: unknown } } | undefined): string => {
    const name = given?.function?.name;
    if (specs.some((spec) => spec.name === name)) return name as string;
    throw invalid("tool_choice", `"tool_choice": there is no function "${String(name).slice(0, 40)}".`);
  };
  if (type === "function") return { tools: specs, mustCall: [known({ function: of })] };
  const isRequired = choice === "required" || allowed?.mode === "required";
  if (type === "allowed_tools" && (isRequired || allowed?.mode === "auto") && Array.isArray(allowed?.tools)) {
    const names = allowed.tools.map(known);
    return isRequired && names.length > 0
      ? { tools: specs, mustCall: names }
      : { tools: specs.filter(({ name }) => names.includes(name)), mustCall: null };
  }
  if (choice !== "required") throw unsupported(`tool_choice: ${String(type ?? choice).slice(0, 40)}`);
  if (specs.length === 0) throw invalid("tool_choice", '"tool_choice": "required" needs functions in "tools".');
  return { tools: specs, mustCall: specs.map(({ name }) => name) };
}

interface ToolChoice {
  type?: unknown;
  function?: { name?: unknown };
  allowed_tools?: { mode?: unknown; tools?: readonly { function?: { name?: unknown } }[] };
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
