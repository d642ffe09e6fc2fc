// Which encoder reads a page: the one that was chosen, or the built-in one where that cannot.
import { type ModelInfo, PithError, type StoredModel } from "@pith/web";
import { isMadeFor } from "../language-tag.js";
import type { LocalEncoder } from "../roles.js";
import type { EncoderUsed } from "../encoder-wire.js";
import { hasCode } from "./run.js";

export const BUILT_IN: EncoderUsed = { title: null, instead: null };

type Why = NonNullable<EncoderUsed["instead"]>["why"];

/** The built-in encoder, in place of the one that was chosen. */
export const builtInFor = ({ title }: LocalEncoder, why: Why, detail = ""): EncoderUsed => ({
  title: null,
  instead: { title, why, detail },
});

/** Whether an encoder was made for a language. A page without a language, or an encoder without a list, is tried. */
export const reads = ({ languages }: LocalEncoder, language: string | null): boolean => isMadeFor(languages, language);

/** Why an encoder cannot be loaded; null where it can be tried. */
export function whyNot(encoder: LocalEncoder, language: string | null, stored: readonly StoredModel[]): Why | null {
  if (!reads(encoder, language)) return "language";
  const found = stored.find(({ name }) => name === encoder.name);
  if (!found) return "gone";
  return found.whole ? null : "incomplete";
}

/** The built-in encoder where the chosen one failed to load; rethrows what says nothing about that model. */
export function afterFailure(encoder: LocalEncoder, error: unknown, signal: AbortSignal): EncoderUsed {
  if (signal.aborted || hasCode(error, "worker_replaced")) throw error;
  if (hasCode(error, "not_stored")) return builtInFor(encoder, "gone");
  const detail = error instanceof PithError ? [error.message, error.detail].filter(Boolean).join(" ") : String(error);
  return builtInFor(encoder, "failed", detail);
}

/** A language model cannot read. */
export function expectEncoder({ encoder, title }: ModelInfo): void {
  if (!encoder) throw new PithError({ code: "wrong_model", message: "", detail: `${title} is no embedding model` });
}
