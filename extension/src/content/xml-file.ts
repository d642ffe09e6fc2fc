// A file of XML, which Firefox shows as a tree of its own making: none of the file's elements is rendered, and all of their text is seen.
import type { Block } from "@pith/web";
import { countWords } from "./blocks/text.js";
import { clean } from "./clean.js";
import type { Metadata } from "./metadata.js";
import { attributeOf, childNodesOf, firstChildOf, isElement, isRendered, isText, page, textOf } from "./own.js";
import { Pace } from "./walk.js";

/** Bounds for hostile files. */
const [BLOCKS_MAX, BLOCK_CHARS_MAX, ELEMENTS_MAX, TITLE_CHARS_MAX] = [5_000, 12_000, 50_000, 120];
/** Namespaces whose elements have a look of their own: a file with one of them is not shown as a tree. */
const STYLED = ["http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"];

/**
 * True where the browser shows a tree in place of the file: without any style sheet the elements themselves would be rendered, and with one
 * there is no tree.
 */
export function isXmlTree(): boolean {
  const type = page.contentType();
  if (page.body() || !/[/+]xml$/.test(type) || page.sheets() > 0) return false;
  const first = firstChildOf(page.root());
  return first !== null && !isRendered(first) && STYLED.every((one) => page.inNamespace(one) === 0);
}

/** What the file says about itself. */
export function metadataOfXml(): Metadata {
  const title = page.find("title");
  const said = attributeOf(page.root(), "xml:lang")?.trim();
  let language: string | null = null;
  try {
    language = said ? (Intl.getCanonicalLocales(said)[0] ?? null) : null;
  } catch {
    // No tag of a language.
  }
  const name = clean(location.hostname + location.pathname);
  return {
    title: clean((title && textOf(title)) ?? "").slice(0, TITLE_CHARS_MAX) || name,
    description: null,
    language,
    types: [],
  };
}

/** A block for each element with a text of its own. */
export async function collectXml() {
  const pace = new Pace();
  const blocks: Block[] = [];
  let [words, elements] = [0, 0];
  const waiting: Element[] = [page.root()];
  for (let at = waiting.pop(); at && blocks.length < BLOCKS_MAX && elements < ELEMENTS_MAX; at = waiting.pop()) {
    elements++;
    if (pace.isDue) await pace.pause();
    const children = [...childNodesOf(at)];
    if (!children.some((one) => isText(one) && /[\p{L}\p{N}]/u.test(one.data))) {
      waiting.push(...children.filter(isElement).reverse().slice(-ELEMENTS_MAX));
      continue;
    }
    const text = clean((textOf(at) ?? "").slice(0, BLOCK_CHARS_MAX));
    if (text) blocks.push({ kind: "paragraph", text });
    words += countWords(text);
  }
  const coverage = { wordsVisible: words, wordsRead: words, leftOut: [] };
  const problem = words === 0 ? { problem: "no_text" as const } : {};
  return { blocks, coverage, said: {}, part: null, times: [], ...problem };
}
