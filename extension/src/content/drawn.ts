// Where passages are drawn in the window now, for a comparison with the pixels there.
import type { Drawn } from "../drawn-wire.js";
import type { Source } from "../wire.js";
import { spokenAt } from "./extract.js";
import { isTreeOfXml } from "./furniture.js";
import { locate } from "./locate.js";
import { containsNode, isElement, page, parentOf, windowOf } from "./own.js";

const RECTS_MAX = 24;
const COVERS_MAX = 40;

/** For each passage whether it is on the page, and the boxes of its lines, as far as the window shows them. */
export async function drawn(sources: readonly Source[]): Promise<Drawn> {
  const places: Drawn["places"] = [];
  for (const source of sources) {
    // Captions are shown by the player, and the tree of a file of XML by the browser.
    if (spokenAt(source.block) || isTreeOfXml()) places.push({ isFound: true, boxes: [] });
    else places.push(placeOf(await locate(source)));
  }
  const { scale = 1 } = visualViewport ?? {};
  return {
    places,
    width: innerWidth,
    height: innerHeight,
    ratio: devicePixelRatio,
    isZoomed: scale !== 1,
    scrollX,
    scrollY,
  };
}

function placeOf(range: Range | null): Drawn["places"][number] {
  if (!range) return { isFound: false, boxes: [] };
  const own = windowOf(range.startContainer) === window;
  const rects = own ? [...range.getClientRects()].slice(0, RECTS_MAX) : [];
  const boxes = rects
    .filter(({ width, height }) => width > 4 && height > 4)
    .filter(({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight)
    .filter((rect) => !isPassedOver(range, rect))
    .map(({ left, top, right, bottom }) => ({ left, top, right, bottom }));
  return { isFound: true, boxes };
}

/** True where something lies over it now that stays in the window while one scrolls. */
function isPassedOver({ commonAncestorContainer: around }: Range, { left, right, top, bottom }: DOMRect): boolean {
  const hit = page.at((left + right) / 2, (top + bottom) / 2);
  if (!hit || containsNode(hit, around) || containsNode(around, hit)) return false;
  let at: Element | null = isElement(hit) ? hit : null;
  for (let depth = 0; at && depth < COVERS_MAX; depth++, at = parentOf(at))
    if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
  return false;
}
