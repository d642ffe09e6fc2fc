// Words that a style puts before and after elements: they are read where they are seen, or the text with them is not.
import { boxOf, parentOf } from "../own.js";
import { isBlock, type Look } from "./look.js";
import { Judge } from "./judge.js";
import { center } from "./geometry.js";
import type { Said } from "./sight.js";
import type { Survey } from "./survey.js";

const DEPTH_MAX = 40;
/** Fonts that draw a word as one sign. */
const ICON_FONT = /^["']?[^,]*\b(?:icons?|symbols|glyphs?|awesome)\b/i;

/** The innermost element around that begins a line of its own. */
export function blockOf(element: Element): Element {
  let at = element;
  for (let depth = 0; depth < DEPTH_MAX && !isBlock(getComputedStyle(at)); depth++) at = parentOf(at) ?? at;
  return at;
}

/** What is said before and after elements, and the blocks with words of which nobody can tell. */
export function judgeGenerated(found: Survey): { said: Map<Element, Said>; dropped: Set<Element> } {
  const said = new Map<Element, Said>();
  const dropped = new Set<Element>();
  for (const { look, side, words } of found.generated) {
    const style = getComputedStyle(look.element, side);
    if (ICON_FONT.test(style.fontFamily)) continue;
    const verdict = words === null ? "unsure" : verdictOf(found, look, style);
    if (verdict === "unsure") dropped.add(blockOf(look.element));
    if (verdict !== "seen" || words === null) continue;
    const isApart = isBlock(style) || style.position === "absolute" || style.position === "fixed";
    said.set(look.element, { ...said.get(look.element), [side]: isApart ? ` ${words} ` : words });
  }
  return { said, dropped };
}

function verdictOf(found: Survey, look: Look, style: CSSStyleDeclaration): ReturnType<Judge["reads"]> {
  const { transform, scale, filter, clipPath, mixBlendMode, overflowX, textIndent, rotate, unicodeBidi } = style;
  const matrix = transform === "none" ? null : new DOMMatrix(transform);
  const judge = new Judge(found, { ...look, style });
  if (judge.isBlank || scale === "0" || (matrix && Math.abs(matrix.a * matrix.d) < 0.01)) return "hidden";
  const isMoved = matrix !== null && (!matrix.is2D || matrix.b !== 0 || matrix.c !== 0 || matrix.a < 0 || matrix.d < 0);
  const isOdd =
    isMoved ||
    [scale, filter, clipPath, rotate].some((one) => one !== "none") ||
    mixBlendMode !== "normal" ||
    overflowX !== "visible";
  if (isOdd || judge.isUnsure || Number.parseFloat(textIndent) < 0 || unicodeBidi.includes("override")) return "unsure";
  return judge.reads(center(boxOf(look.element)), false);
}
