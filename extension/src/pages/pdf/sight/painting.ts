// What is painted on a page: paths, pictures and gradients, through clips, masks and letters.
import { OPS } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Ink } from "./inks.js";
import { Canvas, isOver, type Letter, type Paint } from "./seen.js";
import { areaOf, inside, rectangle, type Shape, strokes, UNIT } from "./shapes.js";
import { isNumbers, type State, type States } from "./state.js";

/** What is used of a group of pdf.js. */
export type Group = Parameters<States["group"]>[0] & {
  smask?: { transferMap?: unknown; backdrop?: readonly number[] | null } | null;
};

export class Painting {
  readonly canvas: Canvas;
  pictureShare = 0;
  /** The last mask that was drawn. */
  mask: readonly Paint[] | null = null;
  /** Whether each marked content around is shown. */
  readonly shown: boolean[] = [];
  /** Groups around; the paints of those that are masks. */
  readonly #groups: (Paint[] | null)[] = [];
  readonly #states: States;
  /** Letters that will be a stencil when their text ends. */
  #stencil: Letter[] = [];
  #isClip: false | "nonzero" | "evenodd" = false;

  constructor(canvas: Canvas, states: States) {
    [this.canvas, this.#states] = [canvas, states];
  }

  get isShown(): boolean {
    return this.shown.every(Boolean);
  }

  get #now(): State {
    return this.#states.now;
  }

  /** True in a mask: nothing in it is drawn on the page, and what its letters let through is not known. */
  letters(): boolean {
    const isMask = this.#groups.some((group) => group !== null);
    if (isMask) this.#letThrough();
    return isMask;
  }

  /** A letter that what follows is drawn through. */
  stencil(letter: Letter): void {
    if (this.#stencil.length < STENCIL_MAX) this.#stencil.push(letter);
  }

  endText(): void {
    if (this.#stencil.length > 0) this.#now.stencil = this.#stencil;
    this.#stencil = [];
  }

  clip(isEvenOdd: boolean): void {
    this.#isClip = isEvenOdd ? "evenodd" : "nonzero";
  }

  beginGroup(group: Group): void {
    this.#states.group(group);
    const { smask } = group;
    this.#groups.push(smask ? [] : null);
    // Light by itself, or turned around: whatever it lets through is believed.
    if (smask && (smask.transferMap || (smask.backdrop ?? []).some((one) => one > DARK))) this.#letThrough();
  }

  /** The mask that is being drawn lets everything through. */
  #letThrough(): void {
    const { view } = this.canvas;
    const shape = { box: view, rings: null, isEvenOdd: false, isRough: false };
    this.#groups.find((one) => one !== null)?.push({ shape, clips: [], ink: null, alpha: 1, isSolid: false, at: 0 });
  }

  endGroup(): void {
    this.#states.restore();
    // It holds from the state on that names it.
    this.mask = this.#groups.pop() ?? this.mask;
  }

  path([end, paths, own]: readonly unknown[], at: number): void {
    const now = this.#now;
    const path = (Array.isArray(paths) ? paths[0] : null) as ArrayLike<number> | null;
    const box = isNumbers(own) ? own : [];
    const clip = this.#isClip;
    this.#isClip = false;
    const code = Number(end);
    const isEvenOdd = EVEN_ODD.includes(code);
    if (FILLS.includes(code))
      this.#paint(inside(path, box, now.ctm, isEvenOdd), now.fill, now.fillAlpha, at, now.fill !== null);
    if (STROKES.includes(code)) {
      const width = now.lineWidth * Math.sqrt(Math.abs(now.ctm[0] * now.ctm[3] - now.ctm[1] * now.ctm[2]));
      if (width > 2)
        for (const one of strokes(path, now.ctm, width))
          this.#paint(one, now.stroke, now.strokeAlpha, at, now.stroke !== null);
    }
    if (!clip) return;
    // An empty path lets nothing through.
    const shape = inside(path, box, now.ctm, clip === "evenodd") ?? NOTHING;
    now.clips = [...now.clips, shape];
  }

  picture(code: number, at: number, hasMask: boolean): void {
    const now = this.#now;
    const whole = rectangle(now.ctm, UNIT);
    if (code === OPS.paintSolidColorImageMask) return this.#paint(whole, now.fill, now.fillAlpha, at, true);
    if (code === OPS.shadingFill) {
      const clip = now.clips.at(-1);
      return clip ? this.#paint(clip, null, now.fillAlpha, at, true) : undefined;
    }
    if (!PICTURES.includes(code)) return;
    const isMask = code === OPS.paintImageMaskXObject;
    this.pictureShare += this.isShown ? areaOf(whole.box) / areaOf(this.canvas.view) : 0;
    this.#paint(whole, null, now.fillAlpha, at, !isMask && !hasMask);
  }

  #paint(shape: Shape | null, ink: Ink, alpha: number, at: number, isSolid: boolean): void {
    const now = this.#now;
    if (!shape || !this.isShown) return;
    const all = alpha * now.groupAlpha;
    const paint = { shape, clips: now.clips, ink, alpha: all, isSolid: isSolid && now.isPlain && !now.mask, at };
    const group = this.#groups.find((one) => one !== null);
    if (group) {
      if (ink === null || ink.some((one) => one > DARK)) group.push(paint);
    } else if (!now.stencil) this.canvas.add(paint);
    else
      for (const letter of now.stencil)
        if (letter.inks.length < INKS_MAX && isOver(paint, letter)) letter.inks.push([ink, all]);
  }
}

/** Inks of one letter. */
const INKS_MAX = 8;
const STENCIL_MAX = 2_000;
/** A mask as dark as this lets nothing through. */
const DARK = 12;
const NOTHING: Shape = { box: [0, 0, -1, -1], rings: null, isEvenOdd: false, isRough: false };
const FILLS: number[] = [
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
];
const EVEN_ODD: number[] = [OPS.eoFill, OPS.eoFillStroke, OPS.closeEOFillStroke];
const STROKES: number[] = [
  OPS.stroke,
  OPS.closeStroke,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
];
export const PICTURES: number[] = [OPS.paintImageXObject, OPS.paintInlineImageXObject, OPS.paintImageMaskXObject];
