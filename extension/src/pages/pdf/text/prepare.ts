// From the items of a page to its lines: the same for what is read and for what is searched.
import { type Line, toLines } from "./lines.js";
import { withInitials, withoutCopies, withoutLineNumbers } from "./mend.js";
import { type PageItems, toPieces } from "./pieces.js";
import { withBullets, withoutLeaders } from "./signs.js";
import { isVertical, turned } from "./vertical.js";

/** The lines of a page, as it is read. */
export interface Prepared {
  /** In no order that matters. */
  readonly lines: Line[];
  /** What is not read: it stands askew, or numbers the lines. */
  readonly askew: string[];
  readonly numbers: string[];
  /** Texts that are no characters. */
  readonly garbled: string[];
  readonly width: number;
  readonly height: number;
}

export function prepare(page: PageItems): Prepared {
  const { upright, askew, garbled, width, height } = toPieces(page);
  const others = askew.map(({ text }) => text);
  const once = withBullets(withoutLeaders(withoutCopies(upright)));
  if (isVertical(once)) {
    const lines = toLines(turned(once, width));
    return { lines, askew: others, numbers: [], garbled, width: height, height: width };
  }
  const { pieces, numbers } = withoutLineNumbers(once, width);
  return {
    lines: toLines(withInitials(pieces)),
    askew: others,
    numbers: numbers.map(({ text }) => text),
    garbled,
    width,
    height,
  };
}
