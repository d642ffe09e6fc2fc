// Tools of OpenAI's API, as the worker takes and gives them.
import type { MessageDelta, ToolCall, ToolSpec } from "../protocol.gen.js";
import { invalid, unsupported } from "./errors.js";
import type { ChatCompletionDelta, ChatCompletionParams, FunctionCall, FunctionTool } from "./types.js";

/** The tools of a request; none where the model may not call any. */
export function readTools({ tools, tool_choice: choice }: ChatCompletionParams): ToolSpec[] {
  // What must be called needs a constraint on the answer, which there is not.
  if (choice !== undefined && choice !== null && choice !== "auto" && choice !== "none")
    throw unsupported(`tool_choice: ${typeof choice === "string" ? choice.slice(0, 40) : "a named tool"}`);
  if (tools !== undefined && tools !== null && !Array.isArray(tools))
    throw invalid("tools", '"tools" must be a list of functions.');
  const specs = (tools ?? []).map((tool, at): ToolSpec => {
    if (tool?.type !== "function") throw unsupported(`tools[${at}].type: ${String(tool?.type).slice(0, 40)}`);
    const { name, description, parameters, strict } = (tool as FunctionTool).function ?? {};
    if (typeof name !== "string") throw invalid(`tools[${at}].function.name`, "A function must have a name.");
    if (strict) throw unsupported(`tools[${at}].function.strict`);
    return { name, description: description ?? "", parameters: JSON.stringify(parameters ?? { type: "object" }) };
  });
  return choice === "none" ? [] : specs;
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
