// What the model that writes may write, by its test. What it may not is not offered.
import type { SummaryKind, WriterTier } from "@pith/web";
import { BUILT_IN, type BuiltIn } from "./actions.js";
import type { Roles } from "./roles.js";
import { KINDS } from "./settings.js";
import type { Settings } from "./wire.js";

type Writer = Roles["writer"];

/** What the verdict is; null where nobody writes or nobody has tested it: then all is offered. A server is not tested. */
export const tierOf = (writer: Writer): WriterTier | null => (writer?.type === "local" ? writer.tier : null);

/** The kinds of summaries that it may write. */
export function kindsFor(writer: Writer): readonly SummaryKind[] {
  const tier = tierOf(writer);
  if (tier === "shorten") return ["keyPoints"];
  return tier === "chat" || tier === "none" ? [] : KINDS;
}

/** Whether it may write what is more than shorter sentences: any kind of summary, in any language. */
export const mayCompose = (writer: Writer): boolean => kindsFor(writer).length === KINDS.length;

/** The summary that is written with these settings: what was chosen, as far as the model may write it; null where it may write none. */
export function allowedSummary({
  writer,
  kind,
  targetLanguage,
}: Settings): Pick<Settings, "kind" | "targetLanguage"> | null {
  const kinds = kindsFor(writer);
  const [first] = kinds;
  if (!first) return null;
  return { kind: kinds.includes(kind) ? kind : first, targetLanguage: mayCompose(writer) ? targetLanguage : null };
}

/** What it may do with selected text. A summary of it can do without a writer. */
export function actionsFor(writer: Writer): readonly BuiltIn[] {
  const tier = tierOf(writer);
  if (tier === "none") return ["summarize"];
  return tier === "chat" || tier === "shorten" ? ["explain", "summarize", "define"] : BUILT_IN;
}

/** Whether it may do what the reader's own actions say. */
export const mayActFreely = (writer: Writer): boolean => tierOf(writer) !== "none";
