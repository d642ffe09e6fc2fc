// What a box paints at and beyond its edge: borders, outlines, shadows.
import { type Color, parseColor } from "./color.js";
import { type Box, grown, height, width } from "./geometry.js";

export interface Edge {
  readonly box: Box;
  readonly color: Color;
  readonly isSure: boolean;
  /** An outline is painted over all that is in its layer. */
  readonly isOnTop: boolean;
}

/** What is thinner covers no letters. */
const THICK_MIN_PX = 3;
const SHADOW =
  /((?:rgba?|color|lab|lch|oklab|oklch)\([^()]*\)) (-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px (-?[\d.]+)px( inset)?/g;
const SIDES = ["Top", "Right", "Bottom", "Left"] as const;

/** Those that are thick enough to hide a text. */
export function edgesOf(style: CSSStyleDeclaration, box: Box): Edge[] {
  return [...bordersOf(style, box), ...outlineOf(style, box), ...shadowsOf(style, box)];
}

function bordersOf(style: CSSStyleDeclaration, box: Box): Edge[] {
  const widths = SIDES.map((side) => Number.parseFloat(style[`border${side}Width`]));
  if (!widths.some((px) => px >= THICK_MIN_PX)) return [];
  const colors = SIDES.map((side) => parseColor(style[`border${side}Color`]));
  const isPicture = style.borderImageSource !== "none";
  // Sides of several colors meet in a slope.
  const shown = SIDES.map((side, i) =>
    widths[i]! > 0 ? `${style[`border${side}Color`]} ${style[`border${side}Style`]}` : "",
  );
  const isEven = new Set(shown.filter(Boolean)).size === 1;
  const isSolid = /^(?:solid|inset|outset|ridge|groove)$/.test(style.borderTopStyle) || isEven;
  return ring(box, {
    left: box.left + widths[3]!,
    top: box.top + widths[0]!,
    right: box.right - widths[1]!,
    bottom: box.bottom - widths[2]!,
  })
    .map((strip, i) => ({
      box: strip,
      color: isPicture ? { ...colors[i]!, a: 1 } : colors[i]!,
      isSure: isEven && isSolid && !isPicture && !/dotted|dashed|double/.test(style.borderTopStyle),
      isOnTop: false,
    }))
    .filter(({ color }, i) => widths[i]! >= THICK_MIN_PX && color.a > 0);
}

function outlineOf(style: CSSStyleDeclaration, box: Box): Edge[] {
  const wide = style.outlineStyle === "none" ? 0 : Number.parseFloat(style.outlineWidth);
  if (wide < THICK_MIN_PX) return [];
  const inner = grown(box, Number.parseFloat(style.outlineOffset) || 0);
  const color = parseColor(style.outlineColor);
  return ring(grown(inner, wide), inner).map((strip) => ({
    box: strip,
    color,
    isSure: /solid|auto/.test(style.outlineStyle),
    isOnTop: true,
  }));
}

/** The parts of shadows beyond their box that are not blurred. */
function shadowsOf({ boxShadow }: CSSStyleDeclaration, box: Box): Edge[] {
  if (boxShadow === "none") return [];
  return [...boxShadow.matchAll(SHADOW)].flatMap(([, color = "", x, y, blur, spread, inset]) => {
    if (inset) return [];
    const solid = grown(box, Number(spread) - Number(blur) / 2);
    const [dx, dy] = [Number(x), Number(y)];
    const at = { left: solid.left + dx, right: solid.right + dx, top: solid.top + dy, bottom: solid.bottom + dy };
    return ring(at, box).map((strip) => ({ box: strip, color: parseColor(color), isSure: true, isOnTop: false }));
  });
}

/** What of a box is outside of another, as strips: above, to the right, below, to the left. Thin ones are empty. */
function ring(whole: Box, inner: Box): Box[] {
  // A box of the browser's has no members of its own.
  const outer = grown(whole, 0);
  const [top, bottom] = [
    Math.min(Math.max(inner.top, outer.top), outer.bottom),
    Math.max(Math.min(inner.bottom, outer.bottom), outer.top),
  ];
  const low = Math.max(top, bottom);
  return [
    { ...outer, bottom: top },
    { ...outer, left: Math.max(outer.left, inner.right), top, bottom: low },
    { ...outer, top: low },
    { ...outer, right: Math.min(outer.right, inner.left), top, bottom: low },
  ].map((strip) =>
    width(strip) >= THICK_MIN_PX && height(strip) >= THICK_MIN_PX ? strip : { ...strip, right: strip.left },
  );
}

/** True where the edges may hold something: asked first, as most boxes have none. */
export const hasEdges = ({
  borderTopWidth,
  borderBottomWidth,
  borderLeftWidth,
  borderRightWidth,
  outlineStyle,
  boxShadow,
}: CSSStyleDeclaration): boolean =>
  boxShadow !== "none" ||
  outlineStyle !== "none" ||
  [borderTopWidth, borderBottomWidth, borderLeftWidth, borderRightWidth].some(
    (width) => Number.parseFloat(width) >= THICK_MIN_PX,
  );
