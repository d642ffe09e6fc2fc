// Texts that a script of the page has put into highlights, which color letters without a style of an element.
import { isText, parentOf } from "../own.js";
import { isDistinct, parseColor } from "./color.js";

/** The one that shows a passage. */
const OURS = "pith-passage";
const RANGES_MAX = 5_000;

/** Those of which a highlight may hide the letters. */
export function highlighted(texts: readonly { readonly node: Text }[]): Text[] {
  const marks = (globalThis.CSS as { highlights?: HighlightRegistry }).highlights;
  if (!marks || marks.size === 0 || (marks.size === 1 && marks.has(OURS))) return [];
  const ranges: AbstractRange[] = [];
  marks.forEach((mark, name) => {
    if (name !== OURS)
      mark.forEach((range) => ranges.length < RANGES_MAX && isHiding(range, name) && ranges.push(range));
  });
  if (ranges.length === 0) return [];
  const hidden = ranges.flatMap((range) => {
    const live = new Range();
    live.setStart(range.startContainer, range.startOffset);
    live.setEnd(range.endContainer, range.endOffset);
    return live;
  });
  return texts.map(({ node }) => node).filter((node) => hidden.some((range) => range.intersectsNode(node)));
}

/** True where its letters are clear or like their ground, and where nobody can tell. */
function isHiding({ startContainer: at }: AbstractRange, name: string): boolean {
  const element = isText(at) ? parentOf(at) : (at as Element);
  if (!element) return false;
  const style = getComputedStyle(element, `::highlight(${name})`);
  const [ink, fill] = [parseColor(style.color), parseColor(style.backgroundColor)];
  if (ink.a < 0.5) return true;
  const own = parseColor(getComputedStyle(element).color);
  const isSame = ink.r === own.r && ink.g === own.g && ink.b === own.b;
  return fill.a > 0.5 ? !isDistinct(ink, fill) : !isSame;
}
