// Where the letters of a page are placed: the operators of text, as pdf.js draws them.
import { OPS } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Letter } from "./seen.js";
import { apply, IDENTITY, type Matrix, multiply } from "./shapes.js";
import { isNumbers, type State } from "./state.js";

/** What is used of a glyph of pdf.js. */
export interface Glyph {
  readonly unicode: string;
  readonly width: number;
  readonly isSpace: boolean;
  readonly vmetric?: readonly number[] | null;
  readonly operatorListId?: string | null;
}

/** Places in a letter, in shares of its width and of its size. */
const PLACES = [
  [0.25, 0.1],
  [0.75, 0.1],
  [0.25, 0.4],
  [0.75, 0.4],
] as const;
/** Letters of a Type 3 font are as high as this, in widths: their size is in their operators. */
const TYPE_3_HEIGHT = 1.6;

/** Letters from which on it counts how close they lie, and how far apart they are, of their size, where they can be read. */
const [PACKED_MIN, STEP_MIN] = [8, 0.2];

/** True where letters lie on each other. */
function isPacked(letters: readonly Letter[]): boolean {
  const [first, last] = [letters[0], letters.at(-1)];
  if (!first || !last || letters.length < PACKED_MIN) return false;
  const length = Math.hypot(last.x - first.x, last.y - first.y);
  return length < (letters.length - 1) * first.size * STEP_MIN;
}

export class Pen {
  #matrix: Matrix = IDENTITY;
  #lineX = 0;
  #lineY = 0;
  #x = 0;
  #y = 0;

  /** True where the operator is one of text that only moves or sets. */
  step(code: number, args: readonly unknown[], now: State): boolean {
    const [first, second] = args.map(Number) as [number, number];
    switch (code) {
      case OPS.beginText:
        this.#matrix = IDENTITY;
        this.#move(-this.#lineX, -this.#lineY);
        return true;
      case OPS.setTextMatrix: {
        const given = isNumbers(args[0]) ? args[0] : args;
        if (isNumbers(given)) this.#matrix = multiply(IDENTITY, given);
        this.#move(-this.#lineX, -this.#lineY);
        return true;
      }
      case OPS.moveText:
        this.#move(first, second);
        return true;
      case OPS.setLeadingMoveText:
        now.leading = -second;
        this.#move(first, second);
        return true;
      case OPS.nextLine:
        this.#move(0, -now.leading);
        return true;
      case OPS.setCharSpacing:
        now.charSpacing = first;
        return true;
      case OPS.setWordSpacing:
        now.wordSpacing = first;
        return true;
      case OPS.setHScale:
        now.scale = first / 100;
        return true;
      case OPS.setLeading:
        now.leading = first;
        return true;
      case OPS.setTextRise:
        now.rise = first;
        return true;
      case OPS.setTextRenderingMode:
        now.mode = first;
        return true;
      default:
        return false;
    }
  }

  #move(x: number, y: number): void {
    this.#x = this.#lineX += x;
    this.#y = this.#lineY += y;
  }

  /** The letters of a text, without its spaces. */
  write(glyphs: readonly (Glyph | number)[], now: State, at: number, isShown: boolean): Letter[] {
    const { font, fontSize } = now;
    const letters: Letter[] = [];
    for (const glyph of glyphs) {
      if (typeof glyph === "number") {
        this.#advance(((font.isVertical ? 1 : -1) * glyph * fontSize) / 1000, now);
        continue;
      }
      const { unicode: text, vmetric } = glyph;
      const spacing = (glyph.isSpace ? now.wordSpacing : 0) + now.charSpacing;
      const em = font.isVertical && vmetric ? -(vmetric[0] ?? 0) : glyph.width;
      const [place, width] = [this.#place(now), em * font.matrix[0]];
      this.#advance(font.isVertical ? width * fontSize - spacing : width * fontSize + spacing, now);
      if (/^[\s\p{Cf}]/u.test(text)) continue;
      letters.push(this.#letter(glyph, place, width, now, at, isShown));
    }
    return isPacked(letters) ? letters.map((letter) => ({ ...letter, isAbsent: true })) : letters;
  }

  /** From a letter's own space, one high, to the page. */
  #place({ ctm, fontSize, scale, rise }: State): Matrix {
    const own = [fontSize * scale, 0, 0, fontSize, this.#x, this.#y + rise];
    return multiply(ctm, multiply(this.#matrix, own));
  }

  #advance(length: number, { font, scale }: State): void {
    if (font.isVertical) this.#y -= length;
    else this.#x += length * scale;
  }

  #letter(glyph: Glyph, place: Matrix, width: number, now: State, at: number, isShown: boolean): Letter {
    const { font, mode } = now;
    const { procedures, isVertical } = font;
    const procedure = procedures?.[glyph.operatorListId ?? ""];
    const hasOwnColors = procedure !== undefined && !codesOf(procedure).includes(OPS.setCharWidthAndBounds);
    const high = procedures ? width * TYPE_3_HEIGHT : 1;
    const points = PLACES.map(([x, y]) =>
      isVertical ? apply(place, x - 0.5, -y - 0.3) : apply(place, x * width, y * high),
    );
    const inks: Letter["inks"] = [];
    const way = mode & 3;
    if (way === 0 || way === 2 || procedures)
      inks.push([hasOwnColors ? null : now.fill, now.fillAlpha * now.groupAlpha]);
    if ((way === 1 || way === 2) && !procedures) inks.push([now.stroke, now.strokeAlpha * now.groupAlpha]);
    if (way === 3) inks.length = 0;
    return {
      text: glyph.unicode,
      x: place[4],
      y: place[5],
      end: isVertical ? apply(place, 0, -width) : apply(place, width, 0),
      points,
      size: Math.abs(high) * Math.min(Math.hypot(place[0], place[1]), Math.hypot(place[2], place[3])),
      inks,
      clips: now.clips,
      mask: now.mask,
      isAbsent: !isShown || (procedures !== null && !codesOf(procedure).some((code) => DRAWING.includes(code))),
      at,
    };
  }
}

/** Operators that may draw something. */
const DRAWING: number[] = [
  OPS.constructPath,
  OPS.paintImageMaskXObject,
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintSolidColorImageMask,
  OPS.shadingFill,
  OPS.showText,
  OPS.paintFormXObjectBegin,
];

const codesOf = (procedure: { fnArray: ArrayLike<number> } | undefined): number[] =>
  Array.from(procedure?.fnArray ?? []);
