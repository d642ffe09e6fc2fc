// Follows the operators that draw a page: where each letter is placed and how, and what is painted under and over it.
import { OPS, type PDFDocumentProxy, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { parseInk } from "./inks.js";
import { type Group, Painting, PICTURES } from "./painting.js";
import { Canvas, type Letter } from "./seen.js";
import type { Matrix } from "./shapes.js";
import { type Font, isNumbers, NO_FONT, States } from "./state.js";
import { type Glyph, Pen } from "./pen.js";

/** Bounds for hostile files. */
const OPERATORS_MAX = 1_000_000;
const LETTERS_MAX = 200_000;
/** Operators between two looks at the clock. */
const LOOK_EVERY = 1_000;

/** What is drawn on a page. */
export interface Drawn {
  readonly letters: Letter[];
  readonly canvas: Canvas;
  /** How much of the page pictures cover. */
  readonly pictureShare: number;
}

type Layers = Awaited<ReturnType<PDFDocumentProxy["getOptionalContentConfig"]>>;

/** Follows a page's operators. `pause` is called often, and waits where others are due. */
export async function follow(page: PDFPageProxy, layers: Layers, pause: () => Promise<void>): Promise<Drawn> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const walk = new Walk(page, layers);
  const count = Math.min(fnArray.length, OPERATORS_MAX);
  for (let at = 0; at < count && walk.letters.length < LETTERS_MAX; at++) {
    if (at % LOOK_EVERY === 0) await pause();
    walk.step(fnArray[at] ?? 0, (argsArray[at] ?? []) as unknown[], at);
  }
  const { canvas, pictureShare } = walk.painting;
  return { letters: walk.letters, canvas, pictureShare };
}

class Walk {
  readonly letters: Letter[] = [];
  readonly painting: Painting;
  readonly #page: PDFPageProxy;
  readonly #layers: Layers;
  readonly #states = new States();
  readonly #pen = new Pen();
  /** The operator before was the one by which pdf.js announces a picture with a mask of its own. */
  #hasMask = false;

  constructor(page: PDFPageProxy, layers: Layers) {
    [this.#page, this.#layers] = [page, layers];
    const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
    this.painting = new Painting(new Canvas([left, bottom, right, top]), this.#states);
  }

  step(code: number, args: readonly unknown[], at: number): void {
    const [states, painting] = [this.#states, this.painting];
    const { now } = states;
    if (this.#pen.step(code, args, now)) return;
    this.#hasMask &&= PICTURES.includes(code) || code === OPS.beginMarkedContentProps;
    switch (code) {
      case OPS.save:
        return states.save();
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
      case OPS.endAnnotation:
        return states.restore();
      case OPS.transform:
        return states.transform(args);
      case OPS.paintFormXObjectBegin:
        states.save();
        states.transform(args[0]);
        return states.clip(args[1]);
      case OPS.beginAnnotation:
        return states.annotation(args[1], args[2], args[3]);
      case OPS.beginGroup:
        return painting.beginGroup((args[0] ?? {}) as Group);
      case OPS.endGroup:
        return painting.endGroup();
      case OPS.setGState:
        return this.#setState(args[0]);
      case OPS.beginMarkedContent:
        return void painting.shown.push(true);
      case OPS.beginMarkedContentProps:
        return void painting.shown.push(args[0] !== "OC" || this.#layers.isVisible(args[1] as never));
      case OPS.endMarkedContent:
        return void painting.shown.pop();
      case OPS.setLineWidth:
        return void (now.lineWidth = Number(args[0]));
      case OPS.setFillRGBColor:
        return void (now.fill = parseInk(args[0]));
      case OPS.setStrokeRGBColor:
        return void (now.stroke = parseInk(args[0]));
      case OPS.setFillColorN:
        return void (now.fill = null);
      case OPS.setStrokeColorN:
        return void (now.stroke = null);
      case OPS.clip:
      case OPS.eoClip:
        return painting.clip(code === OPS.eoClip);
      case OPS.constructPath:
        return painting.path(args, at);
      case OPS.setFont:
        return void ([now.font, now.fontSize] = [this.#fontOf(args[0]), Number(args[1])]);
      case OPS.showText:
        return this.#show(args[0], at);
      case OPS.endText:
        return painting.endText();
      default:
        return painting.picture(code, at, this.#hasMask);
    }
  }

  #setState(entries: unknown): void {
    this.#states.set(entries);
    if (!Array.isArray(entries)) return;
    this.#hasMask = entries.length === 1 && String(entries[0]) === "SMask,false";
    for (const [key, value] of entries as [string, unknown][]) {
      if (key === "SMask") this.#states.now.mask = value ? this.painting.mask : null;
      if (key === "Font" && Array.isArray(value))
        [this.#states.now.font, this.#states.now.fontSize] = [this.#fontOf(value[0]), Number(value[1])];
    }
  }

  #fontOf(name: unknown): Font {
    const { commonObjs } = this.#page;
    if (typeof name !== "string" || !commonObjs.has(name)) return NO_FONT;
    const found = commonObjs.get(name) as { fontMatrix?: Matrix; vertical?: boolean; isType3Font?: boolean } & {
      charProcOperatorList?: Font["procedures"];
    };
    return {
      matrix: isNumbers(found.fontMatrix) ? found.fontMatrix : NO_FONT.matrix,
      isVertical: found.vertical === true,
      procedures: found.isType3Font ? (found.charProcOperatorList ?? {}) : null,
    };
  }

  #show(glyphs: unknown, at: number): void {
    if (!Array.isArray(glyphs)) return;
    const { now } = this.#states;
    const isShown = !this.painting.letters() && this.painting.isShown;
    for (const letter of this.#pen.write(glyphs as (Glyph | number)[], now, at, isShown)) {
      this.letters.push(letter);
      if ((now.mode & 4) !== 0) this.painting.stencil(letter);
    }
  }
}
