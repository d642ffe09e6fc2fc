// What the pseudo-elements of an element paint, and the words that they show.
import { attributeOf, boxOf } from "../own.js";
import { edgesOf, hasEdges } from "./edges.js";
import { backgroundOf, glassOf } from "./fill.js";
import { paddingBox, toFrame } from "./frames.js";
import { type Box, height, intersect, width } from "./geometry.js";
import { layerIn, Z } from "./layers.js";
import { layersOf, type Look, placeOf } from "./look.js";
import { tinted } from "./paint.js";

export type Side = "::before" | "::after";

/** What is smaller covers no line. */
const SMALL_PX = [40, 8] as const;

const px = (length: string): number => Number.parseFloat(length) || 0;

/** Adds what a pseudo-element paints that lies over or under an element; gives the words in it, null where nobody can tell. */
export function paintPseudo(look: Look, name: Side, order: number): string | null {
  const { element, inner } = look;
  const style = getComputedStyle(element, name);
  const { content } = style;
  if (content === "none" || content === "normal" || style.display === "none" || style.visibility !== "visible")
    return "";
  if (Number(style.opacity) * inner.group.opacity < 0.1) return "";
  const place = placeOf(style, inner);
  const at = boxOfPseudo(look, style);
  if (at) addPainters(look, style, at, order);
  const shown = at && intersect(toFrame(at.box, place.frame), place.clip);
  const isGone = shown !== null && at!.isSure && (width(shown) < 2 || height(shown) < 2) && style.position !== "static";
  return isGone || px(style.fontSize) < 3 ? "" : wordsOf(element, style, content);
}

function addPainters(
  { inner }: Look,
  style: CSSStyleDeclaration,
  at: { box: Box; isSure: boolean },
  order: number,
): void {
  const place = placeOf(style, inner);
  const { layer } = layersOf(style, inner, order);
  const opacity = Number(style.opacity) * inner.group.opacity;
  const { shapes, tints, isVague } = inner.effects;
  const known = {
    layer: layerIn(layer, Z.own, order),
    group: opacity < inner.group.opacity ? { parent: inner.group, opacity } : inner.group,
    isSure: at.isSure && !isVague,
    ...(shapes.length > 0 && { holds: (point: { x: number; y: number }) => shapes.every((shape) => shape(point)) }),
  };
  const add = (box: Box, colors: ReturnType<typeof backgroundOf>, more: object): void => {
    const seen = colors?.map((color) => tinted(color, tints)) ?? null;
    const shown = intersect(toFrame(box, place.frame), place.clip);
    place.frame.painters.add({ ...known, glass: "clear", box: shown, colors: () => seen, ...more });
  };
  const fill = backgroundOf(style, at.box);
  const glass = glassOf(style);
  if (fill?.length !== 0 || glass !== "clear") add(at.box, fill, { glass });
  if (hasEdges(style))
    for (const { box, color, isSure } of edgesOf(style, at.box)) add(box, [color], { isSure: isSure && known.isSure });
}

/** Where it is painted. Null where it stands in the flow, and so covers nothing, or is too small for that. */
function boxOfPseudo({ element, inner }: Look, style: CSSStyleDeclaration): { box: Box; isSure: boolean } | null {
  const isWhole = style.boxSizing === "border-box";
  const around = (...sides: string[]): number => (isWhole ? 0 : sides.reduce((sum, side) => sum + px(side), 0));
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = style;
  const wide = px(style.width) + around(paddingLeft, paddingRight, style.borderLeftWidth, style.borderRightWidth);
  const high = px(style.height) + around(paddingTop, paddingBottom, style.borderTopWidth, style.borderBottomWidth);
  if (style.position === "absolute" || style.position === "fixed") {
    const from = style.position === "fixed" ? { left: 0, top: 0 } : paddingBox(inner.container);
    const left = from.left + px(style.left) + px(style.marginLeft);
    const top = from.top + px(style.top) + px(style.marginTop);
    return moved({ left, top, right: left + wide, bottom: top + high }, style);
  }
  const { marginTop, marginLeft, marginBottom, marginRight, transform, translate, scale, rotate } = style;
  const isPulled = [marginTop, marginLeft, marginBottom, marginRight].some((margin) => px(margin) < 0);
  const isMoved = [transform, translate, scale, rotate].some((one) => one !== "none");
  const isShifted =
    style.position !== "static" && [style.top, style.left, style.bottom, style.right].some((one) => px(one) !== 0);
  const isLarge = wide >= SMALL_PX[0] && high >= SMALL_PX[1];
  const reaches = hasEdges(style) && style.boxShadow !== "none";
  if (!reaches && (!isLarge || (!isPulled && !isMoved && !isShifted))) return null;
  return { box: boxOf(element), isSure: false };
}

/** A box after the transform of its style. */
function moved(
  box: Box,
  { transform, translate, scale, rotate, transformOrigin, clipPath }: CSSStyleDeclaration,
): { box: Box; isSure: boolean } {
  const isOdd = [translate, scale, rotate, clipPath].some((one) => one !== "none");
  if (transform === "none") return { box, isSure: !isOdd };
  const matrix = new DOMMatrix(transform);
  const [originX = 0, originY = 0] = transformOrigin.split(" ").map(px);
  const corners = [box.left, box.right].flatMap((x) =>
    [box.top, box.bottom].map((y) => matrix.transformPoint({ x: x - box.left - originX, y: y - box.top - originY })),
  );
  const xs = corners.map(({ x, w }) => x / w + box.left + originX);
  const ys = corners.map(({ y, w }) => y / w + box.top + originY);
  const isStraight = matrix.is2D && matrix.b === 0 && matrix.c === 0;
  return {
    box: { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) },
    isSure: isStraight && !isOdd,
  };
}

/** The words of a computed `content`; null where it names what only the browser knows. "Article" without its number says nothing. */
function wordsOf(element: Element, { quotes }: CSSStyleDeclaration, content: string): string | null {
  let words = "";
  let isTorn = false;
  for (const [, text, attribute, quote, counter] of content.matchAll(PART)) {
    if (text !== undefined) words += unescaped(text);
    else if (attribute !== undefined) words += attributeOf(element, attribute) ?? "";
    else if (quote !== undefined && /"[^"]*\p{L}/u.test(quotes)) return null;
    else if (counter !== undefined && !PLAIN_COUNTER.test(counter)) return null;
    else if (counter !== undefined && !NO_NUMBER.test(counter)) isTorn = true;
  }
  return !isTorn && /\p{L}/u.test(words) ? words : "";
}

const PART = /"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)[^)]*\)|((?:open|close)-quote)|counters?\(([^)]*)\)/g;
/** Counters as the browser itself writes them. */
const PLAIN_COUNTER =
  /^[\w-]+(?:, "[^"]*")?(?:, (?:decimal|decimal-leading-zero|disc|circle|square|none|(?:lower|upper)-(?:alpha|latin|roman|greek)))?$/;

const NO_NUMBER = /(?:disc|circle|square|none)$/;

const unescaped = (text: string): string =>
  text.replace(/\\([0-9a-f]{1,6}) ?|\\(.)/gi, (_, code?: string, unit?: string) =>
    code ? String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)) : (unit ?? ""),
  );

/** Markers of lists as the browser itself writes them. */
const PLAIN_LIST =
  /^(?:none|disc|circle|square|decimal(?:-leading-zero)?|disclosure-(?:open|closed)|(?:lower|upper)-(?:alpha|latin|roman|greek|armenian)|[a-z-]*(?:arabic-indic|armenian|bengali|cambodian|cjk|devanagari|ethiopic|georgian|gujarati|gurmukhi|hangul|hanja|hebrew|hiragana|iroha|kannada|katakana|khmer|lao|malayalam|mongolian|myanmar|oriya|persian|chinese|japanese|tamil|telugu|thai|tibetan)[a-z-]*)$/;

/** The words of a list item's marker. */
export function markerWords({ element, style }: Look): string | null {
  if (!style.display.includes("list-item")) return "";
  const { content } = getComputedStyle(element, "::marker");
  if (content !== "normal" && content !== "none" && content) return wordsOf(element, style, content);
  const type = style.listStyleType;
  return type.startsWith('"') ? wordsOf(element, style, type) : PLAIN_LIST.test(type) ? "" : null;
}
