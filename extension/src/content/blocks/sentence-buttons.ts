// Buttons that are words of a sentence, such as a term that opens its explanation.
import { closestTo, isElement, isText, nextNodeOf, parentOf, previousNodeOf, tagOf, textOf } from "../own.js";
import { isControl } from "../furniture.js";
import { isBlock } from "../sight/look.js";
import type { Sight } from "../sight/sight.js";
import { countWords, endsSentence } from "./text.js";

const WORDS_MAX = 6;
/** Elements around the button that hold nothing else. */
const DEPTH_MAX = 3;
/** How a sentence goes on. */
const GOES_ON = /^\s*\p{Ll}|^[,.;!?]|^\p{Lo}/u;
/** Words behind a button that begins its sentence. */
const REST_WORDS_MIN = 5;

/** True for a button in a line, whose text stands between the words of a sentence. */
export function isInSentence(button: Element, sight: Sight): boolean {
  if (!isControl(button) || isBlock(sight.styleOf(button)) || countWords(textOf(button) ?? "") > WORDS_MAX)
    return false;
  let at = button;
  for (let depth = 0; depth < DEPTH_MAX && isAlone(at); depth++) {
    const outer = parentOf(at);
    if (!outer || isBlock(sight.styleOf(outer))) break;
    at = outer;
  }
  const after = wordsOf(nextNodeOf(at));
  if (!GOES_ON.test(after)) return false;
  const before = wordsOf(previousNodeOf(at)).trim();
  // One before code copies it.
  if (before === "" && closestTo(button, "pre, figure")) return false;
  if (before !== "") return /[\p{L}\p{N},]$/u.test(before);
  return countWords(after) >= REST_WORDS_MIN && (endsSentence(after.trim()) || /[.!?]\s/.test(after));
}

const isAlone = (element: Element): boolean => !nextNodeOf(element) && !previousNodeOf(element);

/** The text of a node in a line. */
function wordsOf(node: Node | null): string {
  if (node === null || isText(node)) return node?.data ?? "";
  return isElement(node) && !/^(?:BR|BUTTON|INPUT|SELECT|SVG|IMG)$/.test(tagOf(node)) ? (textOf(node) ?? "") : "";
}
