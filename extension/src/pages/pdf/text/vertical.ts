// Vertical Chinese and Japanese: turned by a quarter, its columns become lines that follow each other downwards.
import { UNSPACED } from "./characters.js";
import type { Piece } from "./pieces.js";

/** Of the letters that follow one another in the file, so many stand below each other. */
const BELOW_SHARE_MIN = 0.6;
const LETTERS_MIN = 20;
/** In sizes: from one letter to the next. */
const [STEP_MIN, STEP_MAX] = [0.6, 1.8];

/** True for a page whose letters stand one below the other. */
export function isVertical(pieces: readonly Piece[]): boolean {
  const letters = pieces.filter(({ text }) => [...text.trim()].length === 1 && UNSPACED.test(text));
  if (letters.length < LETTERS_MIN || letters.length * 2 < pieces.length) return false;
  const below = letters.slice(1).filter((one, at) => {
    const before = letters[at]!;
    const step = (one.y - before.y) / one.size;
    return Math.abs(one.left - before.left) < one.size * 0.5 && step > STEP_MIN && step < STEP_MAX;
  });
  return below.length >= letters.length * BELOW_SHARE_MIN;
}

/** The pieces of a page of this width, turned to the left by a quarter. */
export const turned = (pieces: readonly Piece[], width: number): Piece[] =>
  pieces.map((one) => ({ ...one, left: one.y - one.size, right: one.y, y: width - one.left }));
