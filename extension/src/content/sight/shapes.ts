// What a `clip-path` leaves of an element.
import { boxOf, isHtml, offsetHeightOf, offsetWidthOf, page, rootOf } from "../own.js";
import { pen } from "./color.js";
import { height, type Point, width } from "./geometry.js";

/** Whether a point of the window lies in what a `clip-path` leaves. */
export type Shape = (at: Point) => boolean;

/** What a `clip-path` leaves; "empty" where that is nothing, null where only the browser knows. */
export function shapeOf(element: Element, clipPath: string): Shape | "empty" | null {
  const [, id] = /^url\("?[^"]*#([^")]+)"?\)/.exec(clipPath) ?? [];
  if (id !== undefined) return clipOf(element, id);
  const [, name = "", value = ""] = /([a-z]+)\(((?:[^()]|\([^()]*\))*)\)/.exec(clipPath) ?? [];
  if (!name) return null;
  const now = boxOf(element);
  const wide = isHtml(element) ? offsetWidthOf(element) : width(now);
  const high = isHtml(element) ? offsetHeightOf(element) : height(now);
  const path = pathOf(name, value, wide, high);
  if (!path) return null;
  return ({ x, y }) => {
    const box = boxOf(element);
    const inX = (x - box.left) * (width(box) > 0 ? wide / width(box) : 1);
    const inY = (y - box.top) * (height(box) > 0 ? high / height(box) : 1);
    return pen?.isPointInPath(path, inX, inY) ?? true;
  };
}

/** Of an element: where it leaves nothing, or all of the box. */
function clipOf(element: Element, id: string): Shape | "empty" | null {
  const root = rootOf(element);
  const clip = root instanceof ShadowRoot ? root.getElementById(id) : page.find(`[id="${CSS.escape(id)}"]`);
  if (!(clip instanceof SVGClipPathElement)) return null;
  const parts = [...clip.children].filter((part) => part instanceof SVGGraphicsElement).map((part) => part.getBBox());
  if (parts.every((part) => part.width * part.height === 0)) return "empty";
  const isOfBox = clip.clipPathUnits.baseVal === SVGUnitTypes.SVG_UNIT_TYPE_OBJECTBOUNDINGBOX;
  const isWhole = parts.some(({ x, y, width, height }) => x <= 0 && y <= 0 && x + width >= 1 && y + height >= 1);
  const isPlain = clip.children.length === 1 && clip.firstElementChild instanceof SVGRectElement;
  return isOfBox && isWhole && isPlain && !clip.hasAttribute("clip-path") ? () => true : null;
}

function pathOf(name: string, value: string, wide: number, high: number): Path2D | null {
  const path = new Path2D();
  const tokens: string[] = value.replace(/ round .*/, "").match(/(?:calc|min|max|clamp)\([^()]*\)|[^\s,]+/g) ?? [];
  const [a = "0px", b = a, c = a, d = b] = tokens;
  const x = (token: string): number => length(token, wide);
  const y = (token: string): number => length(token, high);
  if (name === "inset") path.rect(x(d), y(a), Math.max(0, wide - x(d) - x(b)), Math.max(0, high - y(a) - y(c)));
  else if (name === "xywh") path.rect(x(a), y(b), x(c), y(d));
  else if (name === "rect") path.rect(x(d), y(a), Math.max(0, x(b) - x(d)), Math.max(0, y(c) - y(a)));
  else if (name === "circle" || name === "ellipse") {
    const at = tokens.indexOf("at");
    const [centerX, centerY] = at < 0 ? [wide / 2, high / 2] : [x(tokens[at + 1] ?? "50%"), y(tokens[at + 2] ?? "50%")];
    const radii = tokens.slice(0, at < 0 ? undefined : at);
    const diagonal = Math.hypot(wide, high) / Math.SQRT2;
    const toSides = [centerX, wide - centerX, centerY, high - centerY].map(Math.abs);
    const radius = (token: string | undefined, basis: number, sides: number[]): number =>
      token === "farthest-side"
        ? Math.max(...sides)
        : !token || token === "closest-side"
          ? Math.min(...sides)
          : length(token, basis);
    const isCircle = name === "circle";
    const radiusX = radius(radii[0], isCircle ? diagonal : wide, isCircle ? toSides : toSides.slice(0, 2));
    const radiusY = isCircle ? radiusX : radius(radii[1], high, toSides.slice(2));
    path.ellipse(centerX, centerY, Math.max(0, radiusX), Math.max(0, radiusY), 0, 0, 2 * Math.PI);
  } else if (name === "polygon") {
    const points = tokens.filter((token) => token !== "nonzero" && token !== "evenodd");
    for (let at = 0; at + 1 < points.length; at += 2) path.lineTo(x(points[at] ?? ""), y(points[at + 1] ?? ""));
    path.closePath();
  } else if (name === "path") return new Path2D(/"([^"]*)"/.exec(value)?.[1] ?? "");
  else return null;
  return path;
}

/** A computed length: pixels, a share of `basis`, or a sum of both. */
function length(token: string, basis: number): number {
  const terms = token.replace(/\s+/g, "").matchAll(/([+-]?[\d.]+(?:e[+-]?\d+)?)(px|%)/g);
  return [...terms].reduce((sum, [, amount, unit]) => sum + Number(amount) * (unit === "%" ? basis / 100 : 1), 0);
}
