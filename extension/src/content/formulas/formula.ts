// Formulas: MathML that is shown, what KaTeX and MathJax draw, and pictures of formulas. Each is read as one piece of its sentence.
import { attributeOf, childNodesOf, findAllIn, findIn, isElement, isText, parentOf, tagOf, textOf } from "../own.js";
import type { Sight } from "../sight/sight.js";
import { lineOf, type Piece, textOfPieces } from "./mathml.js";

/** A formula as it is read: its line, or null where no text is known for what is drawn. */
export interface Formula {
  readonly pieces: readonly Piece[] | null;
}

const CHARS_MAX = 1_000;
/** Bounds for hostile pages. */
const GLYPHS_MAX = 2_000;
const BOX_DEPTH_MAX = 6;
const ALT_CHARS_MAX = 300;
const ALT_SIGN = /[=^_\\<>≤≥≠≈±×÷√∑∏∫∞∂∇]|^[\p{L}\d]$/u;
/** A command of TeX; and words, which formulas have few of. */
const COMMAND = /\\[a-z]+/gi;
const WORDS_MAX = 2;
const LETTERS_MAX = 4;

/** The formula that an element is; undefined where it is none. */
export function formulaOf(element: Element, sight: Sight): Formula | undefined {
  const tag = tagOf(element);
  if (tag === "MATH") {
    const pieces = lineOf(element, (text) => sight.runs(text).length > 0);
    return textOfPieces(pieces).trim() === "" ? undefined : { pieces };
  }
  if (tag === "IMG") return pictured(element, sight);
  // What is drawn for the eye has its MathML beside it, for screen readers.
  if (attributeOf(element, "aria-hidden") !== "true") return undefined;
  const twin = twinOf(element);
  return twin ? drawn(element, twin, sight) : undefined;
}

/** The MathML in the next elements to a drawing. */
function twinOf(element: Element): Element | null {
  const parent = parentOf(element);
  if (!parent) return null;
  for (const one of childNodesOf(parent)) {
    if (!isElement(one) || one === element || /^(?:P|LI|DIV|SECTION|ARTICLE)$/.test(tagOf(one))) continue;
    const math = tagOf(one) === "MATH" ? one : findIn(one, "math");
    if (math) return math;
  }
  return null;
}

/** The twin tells how the letters that are drawn belong together: it is believed where it has the same letters. */
function drawn(element: Element, twin: Element, sight: Sight): Formula | undefined {
  const pieces = lineOf(twin, () => true);
  const line = textOfPieces(pieces);
  if (line.length > CHARS_MAX) return undefined;
  const glyphs = glyphsOf(element, sight);
  const letters = lettersOf(glyphs.text);
  if (letters !== "" && letters === lettersOf(line)) return { pieces };
  return glyphs.isText ? undefined : { pieces: null };
}

/** The letters that are drawn: as texts, by a font (MathJax's `mjx-c`), or as shapes that name their letter. */
function glyphsOf(element: Element, sight: Sight): { text: string; isText: boolean } {
  const found: string[] = [];
  let isText_ = true;
  const collect = (node: Node, depth: number): void => {
    if (found.length > GLYPHS_MAX || depth > 100) return;
    if (isText(node)) {
      for (const { start, end } of sight.runs(node)) found.push(node.data.slice(start, end));
      return;
    }
    if (!isElement(node) || sight.of(node) === "nothing") return;
    const tag = tagOf(node);
    if (tag === "MJX-C") {
      isText_ = false;
      found.push(/^"(.*)"$/su.exec(getComputedStyle(node, "::before").content)?.[1] ?? "");
    } else if (tag === "SVG") {
      isText_ = false;
      for (const shape of [...findAllIn(node, "use, path, text")].slice(0, GLYPHS_MAX)) found.push(shapeOf(shape));
      return;
    }
    for (const child of childNodesOf(node)) collect(child, depth + 1);
  };
  collect(element, 0);
  return { text: found.join(""), isText: isText_ };
}

/** The letter of a shape: MathJax names its code. */
function shapeOf(shape: Element): string {
  if (tagOf(shape) === "TEXT") return textOf(shape) ?? "";
  const href = attributeOf(shape, "href") ?? attributeOf(shape, "xlink:href") ?? "";
  const code = attributeOf(shape, "data-c") ?? /^#(?:E\d+-)?MJ\w*-([\dA-F]+)$/i.exec(href)?.[1];
  const point = Number.parseInt(code ?? "", 16);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "";
}

/** The letters and digits of a text in an order of their own. */
const lettersOf = (text: string): string => (text.normalize("NFKC").match(/[\p{L}\p{N}]/gu) ?? []).sort().join("");

/** A picture in a line of text, with the formula that it shows as its alternative text. */
function pictured(image: Element, sight: Sight): Formula | undefined {
  const alt = attributeOf(image, "alt")?.trim() ?? "";
  if (alt === "" || alt.length > ALT_CHARS_MAX || !sight.styleOf(image).display.startsWith("inline")) return undefined;
  if (sight.of(image) !== "all" || !ALT_SIGN.test(alt)) return undefined;
  const words = alt.replace(COMMAND, " ").match(/\p{L}{3,}/gu) ?? [];
  // Scripts without spaces have words all the same.
  if (words.length > WORDS_MAX || (alt.match(/\p{Lo}/gu)?.length ?? 0) > LETTERS_MAX) return undefined;
  if (!/[\p{L}\p{N}]/u.test(textOf(parentOf(image) ?? image) ?? "")) return undefined;
  const bare = alt.replace(/^\$+|\$+$|^\\[([]|\\[)\]]$/g, "").trim();
  const line = /^\{\\(?:display|text)style\s*(.*)\}$/s.exec(bare)?.[1] ?? bare;
  return { pieces: [{ text: line.trim(), node: null }] };
}

/** True for a box that holds a formula and nothing else. */
export function isFormulaBox(element: Element): boolean {
  let at: Element = element;
  for (let depth = 0; depth < BOX_DEPTH_MAX; depth++) {
    if (tagOf(at) === "MATH") return true;
    const children = [...childNodesOf(at)].filter((one) => isElement(one) || /\S/.test(textOf(one) ?? ""));
    const [first] = children;
    if (!first || !children.every(isElement)) return false;
    if (children.length > 1)
      return children.some(
        (one) => isElement(one) && twinOf(one) !== null && attributeOf(one, "aria-hidden") === "true",
      );
    at = first as Element;
  }
  return false;
}
