// Files of XML where the browser shows their tree in a place that no script may look into. All of a file is shown there, so its
// elements are read as they are.
import type { Block } from "@pith/web";
import type { Coverage } from "../wire.js";
import { countWords } from "./blocks/text.js";
import { shortened } from "./classify/left-out.js";
import { clean } from "./clean.js";
import { childNodesOf, isText, localNameOf, page, parentOf, textOf } from "./own.js";
import { Pace } from "./walk.js";

/** Bounds for hostile files. */
const [ELEMENTS_MAX, CHARS_MAX, TEXTS_MAX] = [50_000, 12_000, 150];
/** Fewer words are a number, a date or an address. */
const WORDS_MIN = 3;
export const isWords = (text: string): boolean => countWords(text) >= WORDS_MIN && !/^\S+$/.test(text);
const TITLE = /^(?:title|head|heading)$/i;
/** Text in CDATA may be HTML. */
const CDATA = /<!\[CDATA\[|\]\]>/g;
const TAG = /<\/?[a-z][^<>]{0,300}>/gi;

/** A text of XML without the tags of HTML that are in it. */
export const withoutTags = (text: string): string => clean(text.replace(CDATA, " ").replace(TAG, " "));

/** The texts of the file: an element with text of its own is a block, with all that is in it. */
export async function readTree(): Promise<{ blocks: Block[]; coverage: Coverage }> {
  const pace = new Pace();
  const blocks: Block[] = [];
  const texts: string[] = [];
  let [wordsRead, words, count] = [0, 0, 0];
  for (const [at, element] of [...page.findAll("*")].entries()) {
    if (at > ELEMENTS_MAX) break;
    if (pace.isDue) await pace.pause();
    const outer = parentOf(element);
    if (!holdsText(element) || (outer && holdsText(outer))) continue;
    const text = withoutTags((textOf(element) ?? "").slice(0, CHARS_MAX));
    const isTitle = TITLE.test(localNameOf(element));
    const own = countWords(text);
    if (own > 0 && (isTitle || isWords(text))) {
      blocks.push({ kind: isTitle ? "heading" : "paragraph", text });
      wordsRead += own;
    } else if (own > 0) {
      [words, count] = [words + own, count + 1];
      if (texts.length < TEXTS_MAX) texts.push(shortened(text));
    }
  }
  const leftOut: Coverage["leftOut"] = count > 0 ? [{ kind: "other", count, words, texts }] : [];
  return { blocks, coverage: { wordsRead, wordsVisible: wordsRead + words, leftOut } };
}

const holdsText = (element: Element): boolean =>
  [...childNodesOf(element)].some((node) => (isText(node) || node.nodeType === 4) && /\S/.test(textOf(node) ?? ""));
