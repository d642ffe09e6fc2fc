// How the letters of a text look, by the style of what it stands in.
import { parentOf, textOf } from "../own.js";
import { isBarred } from "./bars.js";
import { type Color, isDistinct, parseColor } from "./color.js";
import { isBlock, type Look } from "./look.js";
import { tinted } from "./paint.js";

const SIZE_MIN_PX = 3;
/** Of the letters' size: what is blurred more cannot be read. */
const BLUR_MAX = 0.2;
/** Of the letters' size: a stroke as thick as this fills the letters, and one as this makes blots of them. */
const STROKE_MIN = 0.05;
const STROKE_MAX = 0.3;
const SHADOW = /((?:rgba?|color|lab|lch|oklab|oklch)\([^()]*\)) (-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px/g;
const SHADOW_BLUR_MAX = 0.3;
const SHADOW_REACH_MAX = 3;
const LATIN = /\p{Script=Latin}/u;
const PSEUDO = ["::first-line", "::first-letter"] as const;
/** What they may change of how letters look. */
const PAINT = ["color", "webkitTextFillColor", "fontSize", "textShadow"] as const;
const FIRST_CHARS_MAX = 2;

/** The colors of letters, outlines and shadows; null where only the browser knows. */
export function inksOf({ style, inner }: Look): readonly Color[] | null {
  const fill = parseColor(style.webkitTextFillColor || style.color);
  const { letters, effects } = inner;
  if (letters === null && fill.a < 0.9) return null;
  let inks = fill.a < 0.9 && letters ? [...letters] : [fill];
  const size_px = Number.parseFloat(style.fontSize);
  const stroke_px = Number.parseFloat(style.webkitTextStrokeWidth);
  if (stroke_px > 0) {
    const isOver = stroke_px > size_px * STROKE_MIN && !/^stroke|^markers stroke/.test(style.paintOrder);
    const stroke = parseColor(style.webkitTextStrokeColor);
    inks = isOver && stroke.a > 0.5 ? [stroke] : [...inks, stroke];
  }
  for (const [, color = "", x, y, blur] of style.textShadow.matchAll(SHADOW)) {
    const isNear = Math.max(Math.abs(Number(x)), Math.abs(Number(y))) <= size_px * SHADOW_REACH_MAX;
    if (isNear && Number(blur) <= size_px * SHADOW_BLUR_MAX) inks.push(parseColor(color));
  }
  return inks.filter(({ a }) => a > 0.02).map((ink) => tinted(ink, effects.tints));
}

/** True where no letter can be read, whatever they stand on. */
export function isIllegible({ style, inner }: Look): boolean {
  const size_px = Number.parseFloat(style.fontSize);
  return (
    size_px < SIZE_MIN_PX ||
    inner.effects.isBarred ||
    inner.effects.blur_px > size_px * BLUR_MAX ||
    Number.parseFloat(style.webkitTextStrokeWidth) > size_px * STROKE_MAX ||
    (style.getPropertyValue("-webkit-text-security") || "none") !== "none" ||
    (isBarred(style) && !isDistinct(parseColor(style.textDecorationColor), parseColor(style.color)))
  );
}

/** By block: the styles of its first line, and of its first letter where that is all, as far as they are others. */
export type Parts = Map<Element, readonly CSSStyleDeclaration[]>;

/** The styles that an element's letters have: its own, and those of parts, which letters with a color of their own do not take. */
export function stylesOf({ element, style }: Look, known: Parts): readonly CSSStyleDeclaration[] {
  const block = blockAround(element);
  if (!block) return [style];
  const found = known.get(block) ?? partsOf(block);
  known.set(block, found);
  const takes = found.length > 0 && getComputedStyle(block).color === style.color;
  return takes ? [style, ...found] : [style];
}

function partsOf(block: Element): CSSStyleDeclaration[] {
  const own = getComputedStyle(block);
  const names = (textOf(block) ?? "").trim().length <= FIRST_CHARS_MAX ? PSEUDO : PSEUDO.slice(0, 1);
  return names
    .map((name) => getComputedStyle(block, name))
    .filter((part) => PAINT.some((name) => part[name] !== own[name]));
}

/** Letters that run against their own direction. */
export const isBackward = ({ element, style }: Look): boolean =>
  style.direction === "rtl" && style.unicodeBidi.includes("override") && LATIN.test(textOf(element) ?? "");

function blockAround(element: Element): Element | null {
  let at: Element | null = element;
  for (let depth = 0; at && depth < 20; depth++, at = parentOf(at)) if (isBlock(getComputedStyle(at))) return at;
  return null;
}
