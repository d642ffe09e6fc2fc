// `responseConstraint` of the Prompt API.
import type { Format } from "../protocol.gen.js";
import { unsupported } from "./errors.js";
import type { Turns } from "./prompt.js";

/** The format that a constraint asks for: a JSON schema, or a regular expression that the whole answer matches. */
export function readConstraint(constraint: object | null | undefined): Format | null {
  if (constraint === null || constraint === undefined) return null;
  if (typeof constraint !== "object") throw new TypeError("responseConstraint must be an object.");
  if (!(constraint instanceof RegExp)) return { type: "jsonSchema", schema: toSchema(constraint) };
  if (/[ims]/.test(constraint.flags)) throw unsupported(`The flags "${constraint.flags}" in responseConstraint`);
  return { type: "regex", pattern: constraint.source };
}

function toSchema(constraint: object): unknown {
  try {
    return JSON.parse(JSON.stringify(constraint));
  } catch {
    throw unsupported("A responseConstraint that is no JSON");
  }
}

/** The input with the constraint in words, behind the last message that is not the assistant's. */
export function tellConstraint(turns: Turns, format: Format | null): Turns {
  const at = turns.messages.findLastIndex(({ role }) => role !== "assistant");
  const last = turns.messages[at];
  if (!last || !format) return turns;
  const words =
    format.type === "regex"
      ? `The whole answer must match the regular expression ${format.pattern}`
      : `Answer in JSON that meets this schema: ${JSON.stringify("schema" in format ? format.schema : {})}`;
  return { ...turns, messages: turns.messages.with(at, { ...last, content: `${last.content}\n\n${words}` }) };
}
