// Whether the page's own fonts draw letters at all.
import { page } from "../own.js";

const SIZE_PX = 16;
const LETTERS_MAX = 24;
/** Of the letters of a text: with fewer drawn it cannot be read. */
const DRAWN_MIN = 0.6;
const CACHE_MAX = 20_000;

const pen = new OffscreenCanvas(SIZE_PX * 2, SIZE_PX * 2).getContext("2d", { willReadFrequently: true });
const known = new Map<string, boolean>();

/** True where a font that the page brought along draws nothing for most of the letters. */
export function hasNoGlyphs(text: string, { fontFamily, fontWeight, fontStyle }: CSSStyleDeclaration): boolean {
  if (page.fonts().size === 0 || !pen) return false;
  const letters = [...new Set(text.match(/[\p{L}\p{N}]/gu))].slice(0, LETTERS_MAX);
  const font = `${fontStyle} ${fontWeight} ${SIZE_PX}px ${fontFamily}`;
  const drawn = letters.filter((letter) => draws(font, letter)).length;
  return drawn < letters.length * DRAWN_MIN;
}

function draws(font: string, letter: string): boolean {
  const key = `${letter} ${font}`;
  const found = known.get(key);
  if (found !== undefined || !pen) return found ?? true;
  if (known.size >= CACHE_MAX) known.clear();
  pen.clearRect(0, 0, SIZE_PX * 2, SIZE_PX * 2);
  if (pen.font !== font) pen.font = font;
  pen.fillStyle = "#000";
  pen.fillText(letter, SIZE_PX / 2, SIZE_PX * 1.4);
  const { data } = pen.getImageData(0, 0, SIZE_PX * 2, SIZE_PX * 2);
  let isDrawn = false;
  for (let at = 3; at < data.length && !isDrawn; at += 4) isDrawn = data[at]! > 60;
  known.set(key, isDrawn);
  return isDrawn;
}
