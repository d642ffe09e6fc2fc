// What a picture shows: its colors, and where a drawing has any.
import { childNodesOf, findAllIn, tagOf } from "../own.js";
import type { Color } from "./color.js";
import type { Point } from "./geometry.js";

const SAMPLES = 4;
/** Larger pictures take too long to be scaled down. */
const PICTURE_PX_MAX = 4_000_000;

/** The colors of a picture; null where it comes from another site or is not drawn yet. */
export function colorsOfPicture(element: Element): readonly Color[] | null {
  const isPicture =
    element instanceof HTMLImageElement || element instanceof HTMLVideoElement || element instanceof HTMLCanvasElement;
  if (!isPicture || element.width * element.height > PICTURE_PX_MAX) return null;
  // A canvas of its own: what comes from another site would close it for what is read next.
  const pen = new OffscreenCanvas(SAMPLES, SAMPLES).getContext("2d", { willReadFrequently: true });
  if (!pen) return null;
  try {
    pen.drawImage(element, 0, 0, SAMPLES, SAMPLES);
    const { data } = pen.getImageData(0, 0, SAMPLES, SAMPLES);
    const colors: Color[] = [];
    for (let at = 0; at < data.length; at += 4) {
      const [r = 0, g = 0, b = 0, a = 0] = data.subarray(at, at + 4);
      colors.push({ r, g, b, a: a / 255 });
    }
    return colors;
  } catch {
    return null;
  }
}

/** Parts of a drawing that are asked; one with more counts as drawn everywhere. */
const PARTS_MAX = 200;

/** Whether a drawing may have painted a point of the window; other pictures paint all of their box. */
export function drawsAt(element: Element, { x, y }: Point): boolean {
  if (tagOf(element) !== "SVG" || childNodesOf(element).length > PARTS_MAX) return true;
  const parts = [...findAllIn(element, "*")];
  if (parts.length > PARTS_MAX) return true;
  return parts.some((part) => {
    if (!(part instanceof SVGGeometryElement))
      return part instanceof SVGGraphicsElement && !(part instanceof SVGGElement);
    const matrix = part.getScreenCTM();
    const style = getComputedStyle(part);
    if (!matrix || style.visibility !== "visible") return false;
    const at = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return (style.fill !== "none" && part.isPointInFill(at)) || (style.stroke !== "none" && part.isPointInStroke(at));
  });
}
