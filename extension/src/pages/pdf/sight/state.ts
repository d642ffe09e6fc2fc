// The graphics state while a page's operators are followed: what holds for the next letter or path.
import { BLACK, type Ink } from "./inks.js";
import { IDENTITY, type Matrix, multiply, rectangle, type Shape } from "./shapes.js";
import type { Letter, Paint } from "./seen.js";

/** A font, as far as its letters' places depend on it. */
export interface Font {
  readonly matrix: Matrix;
  readonly isVertical: boolean;
  /** The operators that draw a letter of a Type 3 font. */
  readonly procedures: Readonly<Record<string, { fnArray: ArrayLike<number> } | undefined>> | null;
}

export const NO_FONT: Font = { matrix: [0.001, 0, 0, 0.001, 0, 0], isVertical: false, procedures: null };

export interface State {
  ctm: Matrix;
  fill: Ink;
  stroke: Ink;
  fillAlpha: number;
  strokeAlpha: number;
  /** Of the transparency groups around. */
  groupAlpha: number;
  /** Not blended with what lies under it. */
  isPlain: boolean;
  /** A soft mask: what it lets through. */
  mask: readonly Paint[] | null;
  lineWidth: number;
  clips: readonly Shape[];
  /** Letters that what follows is drawn through. */
  stencil: readonly Letter[] | null;
  font: Font;
  fontSize: number;
  mode: number;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
}

export const START: State = {
  ctm: IDENTITY,
  fill: BLACK,
  stroke: BLACK,
  fillAlpha: 1,
  strokeAlpha: 1,
  groupAlpha: 1,
  isPlain: true,
  mask: null,
  lineWidth: 1,
  clips: [],
  stencil: null,
  font: NO_FONT,
  fontSize: 0,
  mode: 0,
  charSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
};

/** Nested deeper, nothing of a page is believed. */
const DEPTH_MAX = 512;

/** States on a stack. */
export class States {
  now: State = { ...START };
  readonly #kept: State[] = [];

  save(): void {
    if (this.#kept.length < DEPTH_MAX) this.#kept.push({ ...this.now });
  }

  restore(): void {
    this.now = this.#kept.pop() ?? this.now;
  }

  transform(matrix: unknown): void {
    if (isNumbers(matrix)) this.now.ctm = multiply(this.now.ctm, matrix);
  }

  clip(box: unknown): void {
    if (!isNumbers(box)) return;
    const [left = 0, bottom = 0, right = 0, top = 0] = box;
    this.now.clips = [...this.now.clips, rectangle(this.now.ctm, [left, bottom, right, top])];
  }

  /** A transparency group: its own alpha begins anew. */
  group(group: { matrix?: unknown; bbox?: unknown }): void {
    this.save();
    this.transform(group.matrix);
    this.clip(group.bbox);
    this.now.groupAlpha *= this.now.fillAlpha;
    this.now.fillAlpha = this.now.strokeAlpha = 1;
  }

  /** An annotation: nothing of the page's state holds in it. */
  annotation(rect: unknown, transform: unknown, matrix: unknown): void {
    this.save();
    this.now = { ...START };
    this.clip(rect);
    this.transform(transform);
    this.transform(matrix);
  }

  /** Parameters of a dictionary. */
  set(entries: unknown): void {
    if (!Array.isArray(entries)) return;
    for (const [key, value] of entries as [string, unknown][]) {
      if (key === "ca") this.now.fillAlpha = Number(value);
      if (key === "CA") this.now.strokeAlpha = Number(value);
      if (key === "LW") this.now.lineWidth = Number(value);
      if (key === "BM") this.now.isPlain = value === "source-over";
    }
  }
}

export const isNumbers = (value: unknown): value is ArrayLike<number> & readonly number[] =>
  (Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array) &&
  Array.prototype.every.call(value, (one) => typeof one === "number" && Number.isFinite(one));
