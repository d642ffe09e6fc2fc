// Whether a written summary says anything beside the key sentences that stand under it.
import type { Summary } from "@pith/web";
import type { WrittenSummary } from "../../writing-wire.js";

/** The least share of lines that are not there without the model. With fewer, the key sentences are the summary. */
const OWN_SHARE_MIN = 1 / 3;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The summary; without what was written where that adds nothing: its lines are the key sentences, or stand for what it failed to write. */
export function withoutRepetition(summary: Summary): WrittenSummary {
  const { written, lines } = summary;
  if (!written || written.lines.length === 0) return summary;
  const known = new Set(lines.map(({ text }) => plain(text)));
  const isOwn = ({ text, support }: (typeof written.lines)[number]): boolean =>
    support !== "replaced" && !known.has(plain(text));
  const own = written.lines.filter(isOwn).length;
  return own / written.lines.length < OWN_SHARE_MIN
    ? { ...summary, written: null, notWritten: "nothingAdded" }
    : summary;
}
