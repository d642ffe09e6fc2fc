// Joins lines to text.
import type { Block } from "@pith/web";
import { HYPHEN_END, joinsTightly } from "./characters.js";

/** English numbers such as "twenty-one". */
const TENS = /(?:twen|thir|for|fif|six|seven|eigh|nine)ty$/i;

/** A block's text with one more line. `offset`: where the line begins. `words`: those that the document has unbroken. */
export function join(
  { text, kind }: Block,
  line: string,
  words: ReadonlySet<string>,
): { text: string; offset: number } {
  if (kind === "code") return { text: `${text}\n${line}`, offset: text.length + 1 };
  if (joinsTightly(text, line)) return { text: text + line, offset: text.length };
  if (HYPHEN_END.test(text) && /^\p{Ll}/u.test(line)) {
    const stem = text.replace(HYPHEN_END, "");
    const [start = ""] = /[\p{L}\p{M}-]+-?$/u.exec(stem) ?? [];
    const [end = ""] = /^[\p{L}\p{M}-]+/u.exec(line) ?? [];
    // A word with a hyphen of its own stands elsewhere with it, and nowhere without.
    const keeps = words.has(`${start}-${end}`.toLowerCase()) && !words.has((start + end).toLowerCase());
    const whole = keeps || TENS.test(start) ? text : stem;
    return { text: whole + line, offset: whole.length };
  }
  // After a hyphen that stays, as in "Anglo-" and "American", and after a dash, comes no space.
  const space = /(?<=\p{L})[-\u2010]$/u.test(text) || /[—/]$/.test(text) ? "" : " ";
  return { text: text + space + line, offset: text.length + space.length };
}
