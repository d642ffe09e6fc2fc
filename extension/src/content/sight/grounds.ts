// What painters make of what lies under them.
import { BLACK, type Color, faded, over, WHITE } from "./color.js";
import type { Painter } from "./painters.js";

/** Grounds that are thought through at once, where gradients leave it open which it is. */
const GROUNDS_MAX = 16;
/** A cover that lets through more is none. */
const COVER_MIN = 0.15;

/** What letters may stand on: within their group of opacity, and under that. */
export interface Ground {
  readonly base: Color;
  readonly back: Color;
}

export function laid(
  grounds: Ground[],
  painter: Painter,
  opacity: number,
  put: (ground: Ground, lay: (on: Color) => Color) => Ground,
): Ground[] {
  const known = painter.colors();
  const isOpen = known === null || (painter.isPicture === true && known.some(({ a }) => a < 0.98));
  const colors = isOpen ? [BLACK, WHITE] : known;
  if (colors.length === 0) return grounds;
  const next = colors.flatMap((color) => grounds.map((ground) => put(ground, (on) => over(faded(color, opacity), on))));
  const isCertain = painter.isSure && !isOpen;
  return (isCertain ? next : [...next, ...grounds]).slice(0, GROUNDS_MAX);
}

/** A color under what is laid over it: as little of it as may be covered. */
export function covered(color: Color, cover: Painter): Color {
  const [thinnest] = cover.colors()?.toSorted((one, other) => one.a - other.a) ?? [];
  return thinnest ? over(faded(thinnest, cover.group.opacity), color) : color;
}

/** A cover of which nobody can tell what it hides. */
export function isDoubtful({ isSure, glass, group, colors }: Painter): boolean {
  if (glass === "unknown") return group.opacity > COVER_MIN;
  const seen = colors();
  // A picture that lets through some of what is behind it: nobody can tell where.
  const alphas = seen?.map(({ a }) => a * group.opacity) ?? [group.opacity];
  const most = Math.max(0, ...alphas);
  return most > COVER_MIN && (!isSure || seen === null || (most > 0.5 && Math.min(...alphas) < COVER_MIN));
}
