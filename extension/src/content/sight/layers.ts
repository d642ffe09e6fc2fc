// The order in which a page is painted: CSS 2, appendix E, as far as it decides what lies over what.

/** A place in the order: what has the same parent is painted by `z`, then in the order of the tree. */
export interface Layer {
  readonly parent: Layer | null;
  readonly z: number;
  readonly order: number;
  readonly depth: number;
}

/** Within a layer, what is not positioned lies between negative and other indices. */
export const Z = { own: -Infinity, block: -0.75, inline: -0.25, top: Infinity } as const;

export function layerIn(parent: Layer | null, z: number, order: number): Layer {
  return { parent, z, order, depth: parent ? parent.depth + 1 : 0 };
}

/** True where `a` is painted before, and so lies under, `b`. */
export function isUnder(a: Layer, b: Layer): boolean {
  let [one, other]: [Layer, Layer] = [a, b];
  while (one.depth > other.depth && one.parent) one = one.parent;
  while (other.depth > one.depth && other.parent) other = other.parent;
  while (one.parent && other.parent && one.parent !== other.parent) [one, other] = [one.parent, other.parent];
  return one.z === other.z ? one.order < other.order : one.z < other.z;
}

export const isPositioned = ({ position }: CSSStyleDeclaration): boolean => position !== "static";

/** True for elements whose positioned descendants are painted with them, and not with what is around them. */
export function isStacking(style: CSSStyleDeclaration, inFlexOrGrid: boolean, isMoved: boolean): boolean {
  const { position } = style;
  return (
    position === "fixed" ||
    position === "sticky" ||
    (style.zIndex !== "auto" && (position !== "static" || inFlexOrGrid)) ||
    style.opacity !== "1" ||
    isMoved ||
    style.filter !== "none" ||
    style.clipPath !== "none" ||
    maskOf(style) !== "none" ||
    style.mixBlendMode !== "normal" ||
    style.isolation === "isolate" ||
    /opacity|transform|filter|z-index|top|left/.test(style.willChange) ||
    containsPaint(style)
  );
}

/** The images of a mask; older browsers know the prefixed name only. */
export const maskOf = (style: CSSStyleDeclaration): string => style.maskImage || style.webkitMaskImage || "none";

/** True for elements that even fixed descendants are placed in. */
export function isFixedContainer(style: CSSStyleDeclaration, isMoved: boolean): boolean {
  return (
    isMoved || style.filter !== "none" || /transform|filter|perspective/.test(style.willChange) || containsPaint(style)
  );
}

/** True for elements that are moved, scaled or turned, or that could be in space. */
export function isTransformed(style: CSSStyleDeclaration): boolean {
  const { transform, translate, rotate, scale, perspective, backdropFilter, transformStyle } = style;
  const values = [transform, translate, rotate, scale, perspective, backdropFilter ?? "none"];
  return values.some((value) => value !== "none") || transformStyle === "preserve-3d";
}

/** True where nothing may be painted outside of the box. */
export function containsPaint(style: CSSStyleDeclaration): boolean {
  return /paint|strict|content/.test(style.contain) || style.contentVisibility === "auto";
}
