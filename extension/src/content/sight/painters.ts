// What paints areas: backgrounds, pictures, pseudo-elements. They are what text stands on, and what may cover it.
import type { Color } from "./color.js";
import { type Box, height, holdsPoint, type Point } from "./geometry.js";
import type { Layer } from "./layers.js";

/** Opacity that an element's whole content shares. */
export interface Group {
  readonly parent: Group | null;
  /** With that of all groups around it. */
  readonly opacity: number;
}

export interface Painter {
  readonly box: Box;
  readonly layer: Layer;
  readonly group: Group;
  /** The colors that it may have at any point of the box; null where only the browser knows. */
  readonly colors: () => readonly Color[] | null;
  /** It blurs what is under it. */
  readonly isFrosted: boolean;
  /** It fills its box, and stays where it is while one scrolls. */
  readonly isSure: boolean;
}

const BAND_PX = 512;
/** A painter over more bands than this is looked at everywhere. */
const BANDS_MAX = 8;
/** Bounds for hostile pages: so many are looked at for one point, and so many may hold it. */
const LOOKS_MAX = 2_000;
const HELD_MAX = 256;

/** The painters of one frame, found by a point. */
export class Painters {
  readonly #tall: Painter[] = [];
  readonly #bands = new Map<number, Painter[]>();

  add(painter: Painter): void {
    const { box } = painter;
    if (!(box.right > box.left && box.bottom > box.top)) return;
    if (!(height(box) <= BAND_PX * BANDS_MAX)) {
      this.#tall.push(painter);
      return;
    }
    for (let band = Math.floor(box.top / BAND_PX); band <= Math.floor(box.bottom / BAND_PX); band++) {
      const list = this.#bands.get(band);
      if (list) list.push(painter);
      else this.#bands.set(band, [painter]);
    }
  }

  /** Those whose box holds the point. */
  at(point: Point): Painter[] {
    const band = this.#bands.get(Math.floor(point.y / BAND_PX)) ?? [];
    const found = [this.#tall, band].flatMap((list) =>
      list.slice(0, LOOKS_MAX).filter(({ box }) => holdsPoint(box, point)),
    );
    return found.slice(-HELD_MAX);
  }
}

const SAMPLES = 4;
/** Larger pictures take too long to be scaled down. */
const PICTURE_PX_MAX = 4_000_000;

/** The colors of a picture; null where it comes from another site, is not drawn yet, or lets through what is behind it. */
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
    return colors.every(({ a }) => a > 0.98) ? colors : null;
  } catch {
    return null;
  }
}
