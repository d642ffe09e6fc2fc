// Whether letters are drawn in a part of a picture: pixels that differ from what most of it shows.
import { isContrast, isFar, luminance } from "../contrast.js";

export interface Picture {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** A line is looked at in pieces about as wide as three letters; of its pieces so many hold letters. */
const PIECE_SHARE = 1.5;
const PIECES_MIN = 0.5;
/** Of the pixels of a piece with letters, the least that differ from the ground. */
const INK_MIN = 0.01;
/** Above and below there may be parts of other lines. */
const EDGE_SHARE = 0.12;

/** The share of a box, in pixels of the picture, in which something is drawn, 0 to 1. */
export function inkShare(picture: Picture, box: { left: number; top: number; right: number; bottom: number }): number {
  const edge = (box.bottom - box.top) * EDGE_SHARE;
  const [top, bottom] = [Math.round(box.top + edge), Math.round(box.bottom - edge)];
  const wide = Math.max(8, (bottom - top) * PIECE_SHARE);
  const count = Math.max(1, Math.floor((box.right - box.left) / wide));
  let inked = 0;
  for (let i = 0; i < count; i++) {
    const left = Math.round(box.left + ((box.right - box.left) * i) / count);
    const right = Math.round(box.left + ((box.right - box.left) * (i + 1)) / count);
    if (hasInk(picture, left, top, right, bottom)) inked++;
  }
  return inked / count;
}

export const isDrawn = (share: number): boolean => share >= PIECES_MIN;

function hasInk({ data, width, height }: Picture, left: number, top: number, right: number, bottom: number): boolean {
  const counts = new Map<number, number>();
  const each = (visit: (at: number) => void): void => {
    for (let y = Math.max(0, top); y < Math.min(height, bottom); y++)
      for (let x = Math.max(0, left); x < Math.min(width, right); x++) visit((y * width + x) * 4);
  };
  let all = 0;
  each((at) => {
    all++;
    const key = ((data[at]! >> 3) << 10) | ((data[at + 1]! >> 3) << 5) | (data[at + 2]! >> 3);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  const [ground = 0] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0]);
  const [r, g, b] = [((ground >> 10) & 31) * 8 + 4, ((ground >> 5) & 31) * 8 + 4, (ground & 31) * 8 + 4] as const;
  const light = luminance(r, g, b);
  let ink = 0;
  each((at) => {
    const [r0, g0, b0] = [data[at]!, data[at + 1]!, data[at + 2]!] as const;
    if (isFar(r0 - r, g0 - g, b0 - b) || isContrast(luminance(r0, g0, b0), light)) ink++;
  });
  return all > 0 && ink / all >= INK_MIN;
}
