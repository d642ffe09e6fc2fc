// Signs of a page that are no text: dots that lead the eye to a number, and bullets that a font draws in place of letters.
import type { Piece } from "./pieces.js";

/** Signs that begin items of lists, for a class of a pattern: those of fonts of signs have codes of private use. */
export const BULLETS = "•‣▪●○◦∙·■□➢✓–—*\uE000-\uF8FF";

/** Five dots and more, close or apart. */
const LEADER = /((?:\s?[.·…]){5,}\s?)/u;

/** Parts the pieces at leaders, which are left out. */
export function withoutLeaders(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece) => {
    if (!LEADER.test(piece.text)) return [piece];
    const share = (piece.right - piece.left) / piece.text.length;
    let at = 0;
    return piece.text.split(LEADER).flatMap((text, number) => {
      const left = piece.left + at * share;
      at += text.length;
      return number % 2 === 1 || text.trim() === ""
        ? []
        : [{ ...piece, text, left, right: left + text.length * share }];
    });
  });
}

/** In sizes of the type: bullets of a list are aligned, no larger than its letters, and apart from them. */
const ALIGNED_SIZES = 0.2;
const BULLET_SIZES_MAX = 1.4;
const [GAP_SIZES_MIN, GAP_SIZES_MAX] = [0.4, 3];
/** Of one font on a page. */
const [BULLETS_MIN, BULLETS_MAX] = [2, 200];

/** Names bullets that a font of signs draws, whose letters mean something else: the font has nothing but the first signs of lines. */
export function withBullets(pieces: readonly Piece[]): Piece[] {
  const fonts = new Map<string, Piece[]>();
  for (const piece of pieces) (fonts.get(piece.font) ?? fonts.set(piece.font, []).get(piece.font)!).push(piece);
  const bullets = new Set<Piece>();
  for (const signs of fonts.values()) {
    const [first] = signs;
    if (!first || signs.length < BULLETS_MIN || signs.length > BULLETS_MAX || fonts.size === 1) continue;
    const isList = signs.every(
      (one) =>
        /^[^\d\s]$/u.test(one.text.trim()) &&
        Math.abs(one.left - first.left) <= one.size * ALIGNED_SIZES &&
        headsLine(one, pieces),
    );
    if (isList) for (const one of signs) bullets.add(one);
  }
  return bullets.size === 0 ? [...pieces] : pieces.map((one) => (bullets.has(one) ? { ...one, text: "•" } : one));
}

/** True where a piece stands before a text on its line, and behind none. */
function headsLine(sign: Piece, pieces: readonly Piece[]): boolean {
  const beside = pieces.filter((one) => one !== sign && Math.abs(one.y - sign.y) < sign.size * 0.5);
  const next = beside.reduce<Piece | null>((a, b) => (b.left < sign.right || (a && a.left <= b.left) ? a : b), null);
  if (!next || beside.some(({ right }) => right <= sign.left + 1)) return false;
  const gap = (next.left - sign.right) / next.size;
  return sign.size <= next.size * BULLET_SIZES_MAX && gap >= GAP_SIZES_MIN && gap <= GAP_SIZES_MAX;
}
