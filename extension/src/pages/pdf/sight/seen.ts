// Whether a letter can be seen: drawn at all, inside of its clips, with nothing over it, and in a color of its own.
import { type Ink, isDistinct, mix, WHITE } from "./inks.js";
import { type Box, contains, type Point, type Shape } from "./shapes.js";

/** Something that is painted. */
export interface Paint {
  readonly shape: Shape;
  readonly clips: readonly Shape[];
  readonly ink: Ink;
  readonly alpha: number;
  /** Nothing shines through where its alpha is 1. */
  readonly isSolid: boolean;
  /** When it is painted. */
  readonly at: number;
}

/** A letter that is drawn, or placed without being drawn. */
export interface Letter {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Where its text goes on. */
  readonly end: Point;
  /** Places in it that are looked at. */
  readonly points: readonly Point[];
  /** Points of the page; the smaller of width and height. */
  readonly size: number;
  /** What it is drawn with, and how opaque that is; empty where nothing draws it. */
  readonly inks: [Ink, number][];
  readonly clips: readonly Shape[];
  /** A soft mask it is drawn through. */
  readonly mask: readonly Paint[] | null;
  /** It has no outline, or its layer is off. */
  readonly isAbsent: boolean;
  readonly at: number;
}

/** "under": it is not seen and belongs to a picture, which lies over it, or on which it is placed without being drawn. */
export type Sight = "seen" | "under" | "hidden";

/** Fainter than this is not seen. */
const ALPHA_MIN = 0.1;
/** More opaque than this, nothing is seen through. */
const COVER_ALPHA_MIN = 0.95;
/** Of four places in a letter, as many are seen of one that is read. */
const POINTS_MIN = 2;
/** Points; of a page as high as A4, or higher. */
const SIZE_MIN = 2;
const PAGE_HEIGHT = 842;
const CELLS = 40;
/** Thinner than this, points, hides no letter. */
const THIN = 1.5;
/** Bounds for hostile files: what is painted first is forgotten first. */
const PAINTS_MAX = 20_000;
const CELL_MAX = 400;

/** What is painted on a page, by place. */
export class Canvas {
  readonly #cells: Paint[][] = Array.from({ length: CELLS * CELLS }, () => []);
  readonly view: Box;
  readonly #sizeMin: number;
  #count = 0;

  constructor(view: Box) {
    this.view = view;
    const height = Math.max(view[2] - view[0], view[3] - view[1]);
    this.#sizeMin = SIZE_MIN * Math.min(1, height / PAGE_HEIGHT);
  }

  add(paint: Paint): void {
    const [left, bottom, right, top] = paint.shape.box;
    if (right - left < THIN || top - bottom < THIN || this.#count++ > PAINTS_MAX) return;
    const [fromX, fromY] = this.#cellOf(left, bottom);
    const [toX, toY] = this.#cellOf(right, top);
    for (let y = fromY; y <= toY; y++)
      for (let x = fromX; x <= toX; x++) {
        const cell = this.#cells[y * CELLS + x]!;
        cell.push(paint);
        if (cell.length > CELL_MAX) cell.shift();
      }
  }

  look(letter: Letter): Sight {
    if (letter.isAbsent || letter.size < this.#sizeMin || !letter.points.every((one) => one.every(Number.isFinite)))
      return "hidden";
    const inside = letter.points.filter(([x, y]) => this.#isOpen(letter, x, y));
    if (inside.length < POINTS_MIN) return "hidden";
    if (letter.inks.every(([, alpha]) => alpha < ALPHA_MIN)) return this.#isOnPicture(inside) ? "under" : "hidden";
    const open = inside.filter((point) => !this.#isCovered(letter, point));
    if (open.length < POINTS_MIN) return this.#isUnderPicture(letter, inside) ? "under" : "hidden";
    return open.filter((point) => this.#isInked(letter, point)).length < POINTS_MIN ? "hidden" : "seen";
  }

  #cellOf(x: number, y: number): Point {
    const [left, bottom, right, top] = this.view;
    const place = (share: number): number => Math.min(CELLS - 1, Math.max(0, Math.floor(share * CELLS)));
    return [place((x - left) / (right - left)), place((y - bottom) / (top - bottom))];
  }

  #at([x, y]: Point): readonly Paint[] {
    const [column, row] = this.#cellOf(x, y);
    return this.#cells[row * CELLS + column]!.filter((paint) => isPainted(paint, x, y));
  }

  #isOpen({ clips, mask }: Letter, x: number, y: number): boolean {
    const [left, bottom, right, top] = this.view;
    if (x < left || x > right || y < bottom || y > top || !clips.every((clip) => contains(clip, x, y))) return false;
    return !mask || mask.some((paint) => isPainted(paint, x, y));
  }

  #isCovered(letter: Letter, point: Point): boolean {
    return this.#at(point).some((paint) => paint.at > letter.at && isCover(paint));
  }

  #isUnderPicture(letter: Letter, points: readonly Point[]): boolean {
    const covers = points.flatMap((point) => this.#at(point).filter((one) => one.at > letter.at && isCover(one)));
    return covers.every(({ ink }) => ink === null);
  }

  #isOnPicture(points: readonly Point[]): boolean {
    return points.every((point) => this.#at(point).some(({ ink }) => ink === null));
  }

  #isInked(letter: Letter, point: Point): boolean {
    let back: Ink = WHITE;
    for (const { at, ink, alpha, isSolid } of this.#at(point))
      if (at < letter.at) back = isSolid ? mix(ink, back, alpha) : null;
    return letter.inks.some(([ink, alpha]) => alpha >= ALPHA_MIN && isDistinct(mix(ink, back, alpha), back));
  }
}

const isCover = ({ isSolid, alpha, shape }: Paint): boolean => isSolid && alpha >= COVER_ALPHA_MIN && !shape.isRough;

/** It lies over enough of a letter. */
export const isOver = (paint: Paint, { points }: Letter): boolean =>
  points.filter(([x, y]) => isPainted(paint, x, y)).length >= POINTS_MIN;

const isPainted = ({ shape, clips }: Paint, x: number, y: number): boolean =>
  contains(shape, x, y) && clips.every((clip) => contains(clip, x, y));
