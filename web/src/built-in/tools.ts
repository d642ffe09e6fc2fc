// Tools of the Prompt API: the model proposes calls, the page answers them with its next prompt.
import type { ToolCall, ToolSpec } from "../protocol.gen.js";
import { badData, unsupported } from "./errors.js";

/** A tool as `create` takes it. */
export interface LanguageModelTool {
  name: string;
  description: string;
  /** A JSON schema whose `type` is "object". */
  inputSchema: object;
}

/** A call that the model proposes, or one of an earlier answer. */
export class LanguageModelToolCall {
  readonly callID: string;
  readonly name: string;
  readonly arguments: object | undefined;

  constructor({ callID, name, arguments: given }: { callID: string; name: string; arguments?: object | undefined }) {
    this.callID = String(callID);
    this.name = String(name);
    this.arguments = given;
  }
}

/** A part of a tool's result. */
export interface LanguageModelToolResult {
  type: "text" | "object" | "image" | "audio";
  value: unknown;
}

/** The result of a call. */
export class LanguageModelToolSuccess {
  readonly callID: string;
  readonly name: string;
  readonly result: readonly LanguageModelToolResult[];

  constructor({ callID, name, result }: { callID: string; name: string; result: readonly LanguageModelToolResult[] }) {
    this.callID = String(callID);
    this.name = String(name);
    this.result = [...result];
  }
}

/** Why a call failed. */
export class LanguageModelToolError {
  readonly callID: string;
  readonly name: string;
  readonly errorMessage: string;

  constructor({ callID, name, errorMessage }: { callID: string; name: string; errorMessage: string }) {
    this.callID = String(callID);
    this.name = String(name);
    this.errorMessage = String(errorMessage);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Checks declarations. Errors of a schema's getters and of `toJSON` pass through. */
export function readTools(tools: unknown, mayCall: boolean): ToolSpec[] {
  if (tools === undefined) return [];
  const list = [...(tools as Iterable<Partial<LanguageModelTool> | null>)];
  const names = new Set<string>();
  const specs = list.map((tool): ToolSpec => {
    const { name, description, inputSchema: schema } = tool ?? {};
    if (typeof name !== "string" || name === "") throw new TypeError("A tool must have a name.");
    if (names.has(name)) throw new TypeError(`There are two tools named "${name.slice(0, 40)}".`);
    names.add(name);
    if (typeof description !== "string" || description === "")
      throw new TypeError(`The tool "${name.slice(0, 40)}" must have a description.`);
    if (!isObject(schema) || schema["type"] !== "object")
      throw new TypeError(`The inputSchema of "${name.slice(0, 40)}" must be a JSON schema of the type "object".`);
    const { properties, required } = schema;
    if (properties !== undefined && !isObject(properties))
      throw new TypeError(`The properties of "${name.slice(0, 40)}" must be an object.`);
    if (required !== undefined && !Array.isArray(required))
      throw new TypeError(`"required" of "${name.slice(0, 40)}" must be a list.`);
    return { name, description, parameters: JSON.stringify(schema) };
  });
  if (specs.length > 0 && !mayCall) throw new TypeError('tools need expectedOutputs with the type "tool-call".');
  return specs;
}

/** A call of a message of the assistant. */
export function readCall(value: unknown): ToolCall {
  if (!isObject(value)) throw new TypeError("The value of a tool call must be a LanguageModelToolCall.");
  const { callID, name, arguments: given = {} } = value;
  if (typeof callID !== "string" || typeof name !== "string")
    throw new TypeError("A tool call must have a callID and a name.");
  if (!isObject(given)) throw badData("The arguments of a tool call must be an object.");
  return { id: callID, name, arguments: toJson(given) };
}

/** The result of a call, as text for the model. */
export function readResponse(value: unknown): { id: string; name: string; text: string } {
  const isError = isObject(value) && "errorMessage" in value;
  if (!isObject(value) || !(isError || Array.isArray(value["result"])))
    throw new TypeError("The value of a tool response must be a LanguageModelToolSuccess or LanguageModelToolError.");
  const { callID, name } = value;
  if (typeof callID !== "string" || typeof name !== "string")
    throw new TypeError("A tool response must have a callID and a name.");
  if (isError) return { id: callID, name, text: toJson({ error: String(value["errorMessage"]) }) };
  const parts = (value["result"] as LanguageModelToolResult[]).map(({ type, value: part }) => {
    if (type === "image" || type === "audio") throw unsupported(`Content of the type "${type}" in a tool response`);
    if (type !== "text" && type !== "object")
      throw new TypeError(`"${String(type).slice(0, 40)}" is no type of a tool's result.`);
    return typeof part === "string" ? part : toJson(part);
  });
  return { id: callID, name, text: parts.join("\n") };
}

/** JSON text of plain data; a DataError for anything else. */
function toJson(value: unknown): string {
  try {
    // `structuredClone` would take what JSON cannot say, such as a bitmap.
    const text = JSON.stringify(value, (_, part: unknown) => {
      const isPlain =
        typeof part !== "object" ||
        part === null ||
        Array.isArray(part) ||
        /^\[object (Object|Date)\]$/.test(Object.prototype.toString.call(part));
      if (!isPlain || typeof part === "function" || typeof part === "symbol") throw new TypeError("not plain data");
      return part;
    }) as string | undefined;
    if (text !== undefined) return text;
  } catch (error) {
    throw badData("A value of a tool cannot be written as JSON.", error);
  }
  throw badData("A value of a tool cannot be written as JSON.");
}

/** A call as the API gives it. */
export const toToolCall = ({ id, name, arguments: text }: ToolCall): LanguageModelToolCall =>
  new LanguageModelToolCall({ callID: id, name, arguments: argumentsOf(text) });

/** Arguments that a model wrote; what is no JSON object, such as an answer cut short, is an empty one. */
function argumentsOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
