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
  /** What it does to what is under it: blur it, or something that nobody can tell. */
  readonly glass: Glass;
  /** It fills its box with one of its colors. */
  readonly isSure: boolean;
  /** It stays where it is in the window while one scrolls: what it covers now is seen later. */
  readonly isPassing?: boolean;
  /** It sticks to an edge, and stands at this place in the tree: what comes after it moves out from under it. */
  readonly sticksFrom?: number;
  /** It is a picture, which may let through what is behind it, or not be drawn yet. */
  readonly isPicture?: boolean;
  /** Whether it is at a point of the window, where its box alone does not say. */
  readonly holds?: (at: Point) => boolean;
}

export type Glass = "clear" | "frosted" | "unknown";

const BAND_PX = 256;
/** A painter over more bands than this is looked at everywhere. */
const BANDS_MAX = 16;
/** Bounds for hostile pages: so many are looked at for one point, and so many may hold it. */
const LOOKS_MAX = 10_000;
const HELD_MAX = 1_024;

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

  /** Those whose box holds the point; null where they are too many to be looked at. */
  at(point: Point): Painter[] | null {
    const band = this.#bands.get(Math.floor(point.y / BAND_PX)) ?? [];
    if (this.#tall.length > LOOKS_MAX || band.length > LOOKS_MAX) return null;
    const found = [this.#tall, band].flatMap((list) => list.filter(({ box }) => holdsPoint(box, point)));
    return found.length > HELD_MAX ? null : found;
  }
}
