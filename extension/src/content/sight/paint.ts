// What an element paints: its background, the picture that it is, and what its pseudo-elements lay over or under it.
import { boxOf, frameIn, tagOf } from "../own.js";
import { BLACK, type Color, type Tint, WHITE } from "./color.js";
import { backgroundOf, isFrosted } from "./fill.js";
import { paddingBox, toFrame } from "./frames.js";
import { intersect } from "./geometry.js";
import { layerIn, Z } from "./layers.js";
import { isBlock, layersOf, type Look, placeOf } from "./look.js";
import { colorsOfPicture, type Painter } from "./painters.js";

const PICTURES = new Set("IMG VIDEO CANVAS SVG IFRAME FRAME OBJECT EMBED INPUT".split(" "));
/** True for elements that show something else than what is in them. */
export const isPicture = (element: Element): boolean => PICTURES.has(tagOf(element)) && !frameIn(element);

/** A color after the filters that it is seen through. */
export const tinted = (color: Color, tints: readonly Tint[]): Color => tints.reduce((seen, tint) => tint(seen), color);

/** Adds what an element paints by itself to what its frame shows. */
export function paint({ element, style, place, layer, inner }: Look): void {
  const client = boxOf(element);
  const background = backgroundOf(style, client);
  const hasPicture = isPicture(element);
  const isGlass = isFrosted(style);
  if (background?.length === 0 && !hasPicture && !isGlass) return;
  const { group, effects } = inner;
  const box = intersect(toFrame(client, place.frame), place.clip);
  const isSure = !effects.isVague && style.position !== "sticky" && (isBlock(style) || hasPicture);
  const add = (colors: Painter["colors"], at = layer): void =>
    place.frame.painters.add({ box, layer: at, group, colors, isSure, isFrosted: isGlass });
  const colors = background?.map((color) => tinted(color, effects.tints)) ?? null;
  if (background?.length !== 0 || isGlass) add(() => colors);
  if (!hasPicture) return;
  let picture: readonly Color[] | null | undefined;
  const picturePlace = layer.z === Z.block ? layerIn(layer.parent, Z.inline, layer.order) : layer;
  add(() => (picture ??= colorsOfPicture(element)?.map((color) => tinted(color, effects.tints)) ?? null), picturePlace);
}

/** Adds what a pseudo-element paints that is laid over or under an element. */
export function paintPseudo({ element, inner }: Look, name: "::before" | "::after", order: number): void {
  const style = getComputedStyle(element, name);
  if (style.content === "none" || style.display === "none" || style.visibility !== "visible") return;
  if (style.position !== "absolute" && style.position !== "fixed") return;
  const place = placeOf(style, inner);
  const size = (length: string): number => Number.parseFloat(length) || 0;
  const isWhole = style.boxSizing === "border-box";
  const wide = size(style.width) + (isWhole ? 0 : size(style.paddingLeft) + size(style.paddingRight));
  const high = size(style.height) + (isWhole ? 0 : size(style.paddingTop) + size(style.paddingBottom));
  const from = style.position === "fixed" ? { left: 0, top: 0 } : paddingBox(inner.container);
  const [left, top] = [from.left + size(style.left), from.top + size(style.top)];
  const client = { left, top, right: left + wide, bottom: top + high };
  const colors = backgroundOf(style, client);
  const isGlass = isFrosted(style);
  if (colors?.length === 0 && !isGlass) return;
  const { layer } = layersOf(style, inner, order);
  const opacity = Number(style.opacity) * inner.group.opacity;
  const isSure = style.transform === "none" && style.clipPath === "none" && !inner.effects.isVague;
  const seen = colors?.map((color) => tinted(color, inner.effects.tints)) ?? null;
  place.frame.painters.add({
    box: intersect(toFrame(client, place.frame), place.clip),
    layer: layerIn(layer, Z.own, order),
    group: opacity < inner.group.opacity ? { parent: inner.group, opacity } : inner.group,
    colors: () => seen,
    isSure,
    isFrosted: isGlass,
  });
}

/** The color under everything, by the page's color scheme. */
export function canvasColor(root: CSSStyleDeclaration): Color {
  const prefersDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const isDark = root.colorScheme.includes("dark") && (prefersDark || !root.colorScheme.includes("light"));
  return isDark ? { ...BLACK, r: 18, g: 18, b: 18 } : WHITE;
}
