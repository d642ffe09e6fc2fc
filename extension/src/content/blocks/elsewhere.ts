// Text that is shown and cannot be read: in frames of other sites, and in drawings.
import { boxOf, findAllIn, frameIn, isFrame, tagOf, textOf } from "../own.js";
import type { Sight } from "../sight/sight.js";
import { countWords } from "./text.js";

/** What is found of it while a page is read. */
export class Elsewhere {
  /** Formulas that are drawn without a text. */
  formulas = 0;
  /** Large frames of other sites. */
  frames = 0;
  /** Drawings with text in them, and their words. Whether the eye sees it cannot be told from its style. */
  drawings = 0;
  words = 0;

  look(element: Element, sight: Sight): void {
    if (isLargeForeignFrame(element, sight)) this.frames++;
    const words = tagOf(element) === "SVG" && sight.of(element) === "all" ? wordsDrawn(element) : 0;
    if (words === 0) return;
    this.drawings++;
    this.words += words;
  }
}

/** Of the window's width, and in CSS pixels. */
const FRAME_SHARE_MIN = 0.4;
const FRAME_HEIGHT_MIN_PX = 200;

/** A frame of another site that holds much of the window: smaller ones are advertisements and widgets. */
function isLargeForeignFrame(element: Element, sight: Sight): boolean {
  if (!isFrame(element) || frameIn(element) || sight.of(element) !== "all") return false;
  const { width, height } = boxOf(element);
  return width >= innerWidth * FRAME_SHARE_MIN && height >= FRAME_HEIGHT_MIN_PX;
}

/** An icon has less text than this. */
const DRAWN_WORDS_MIN = 4;
const DRAWN_TEXTS_MAX = 500;

/** The words in a drawing; none where it is an icon. */
export function wordsDrawn(drawing: Element): number {
  const texts = [...findAllIn(drawing, "text, foreignObject")].slice(0, DRAWN_TEXTS_MAX);
  const words = texts.reduce((sum, text) => sum + countWords((textOf(text) ?? "").slice(0, 2_000)), 0);
  return words >= DRAWN_WORDS_MIN ? words : 0;
}
