// What a mask leaves of an element.
import { boxOf } from "../own.js";
import { colorsIn } from "./color.js";
import { height, width } from "./geometry.js";
import { maskOf } from "./layers.js";
import type { Shape } from "./shapes.js";

/** What is masked more than this is not read. */
export const DENSE_MIN = 0.3;
const CLEAR_MAX = 0.05;
const PICTURES = /url\(|image-set\(|element\(|cross-fade\(|paint\(|image\(/;
const LINEAR = /^(?:-webkit-)?linear-gradient\((?:((?:to )?(?:-?[\d.]+deg|[a-z ]+)), )?(.+)\)$/;
const STOP = /((?:rgba?|color|lab|lch|oklab|oklch)\([^()]*\))((?: -?[\d.]+(?:px|%))*)/g;
const SIDES: Record<string, number> = { "to top": 0, "to right": 90, "to bottom": 180, "to left": 270, "": 180 };

/** "empty" where that is nothing, null where it is all; "unsure" where only the browser knows. */
export function maskShapeOf(element: Element, style: CSSStyleDeclaration): Shape | "empty" | "unsure" | null {
  const mask = maskOf(style);
  if (mask === "none") return null;
  const sizes = style.maskSize || style.webkitMaskSize;
  if (/^(?:0(?:px|%)? ?)+$/.test(sizes)) return "empty";
  const colors = colorsIn(mask);
  if (PICTURES.test(mask) || colors.length === 0) return "unsure";
  if (colors.every(({ a }) => a < CLEAR_MAX)) return "empty";
  const isPlain =
    /^(?:auto|cover|contain|100% 100%)$/.test(sizes) && /^(?:match-source|alpha|)$/.test(style.maskMode ?? "");
  if (!isPlain) return "unsure";
  if (colors.every(({ a }) => a >= DENSE_MIN)) return null;
  return gradientShape(element, mask);
}

/** Where a gradient along a line is dense; "unsure" for others, and for several of them. */
export function gradientShape(element: Element, mask: string): Shape | "unsure" {
  const [, side = "", list = ""] = LINEAR.exec(mask) ?? [];
  const degrees = SIDES[side] ?? Number.parseFloat(side);
  if (list === "" || /gradient\(/.test(list) || Number.isNaN(degrees)) return "unsure";
  const angle = (degrees * Math.PI) / 180;
  const [toRight, toTop] = [Math.sin(angle), Math.cos(angle)];
  return ({ x, y }) => {
    const box = boxOf(element);
    const line_px = Math.abs(width(box) * toRight) + Math.abs(height(box) * toTop);
    const [fromX, fromY] = [x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2];
    return alphaAt(list, line_px / 2 + fromX * toRight - fromY * toTop, line_px) >= DENSE_MIN;
  };
}

function alphaAt(list: string, at_px: number, line_px: number): number {
  const stops: { a: number; px: number | null }[] = [];
  for (const [, color = "", places = ""] of list.matchAll(STOP)) {
    const a = colorsIn(color)[0]?.a ?? 0;
    const found = places.trim() === "" ? [null] : places.trim().split(" ");
    for (const place of found)
      stops.push({ a, px: place ? Number.parseFloat(place) * (place.endsWith("%") ? line_px / 100 : 1) : null });
  }
  let before: { a: number; px: number } | null = null;
  for (const [i, { a, px }] of stops.entries()) {
    const at = px ?? (i === 0 ? 0 : i === stops.length - 1 ? line_px : (line_px * i) / (stops.length - 1));
    if (at_px <= at) {
      const share = before && at > before.px ? (at_px - before.px) / (at - before.px) : 1;
      return before ? before.a + (a - before.a) * share : a;
    }
    before = { a, px: at };
  }
  return before?.a ?? 0;
}
