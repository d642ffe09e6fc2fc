// Texts that nobody comes to: far beside what is shown, or far below it.
import type { Frame } from "./frames.js";
import type { Box } from "./geometry.js";

/** A text, from where to where it stands beside the window, on either side, and in what scrolls. */
export interface Aside {
  readonly node: Text;
  readonly from_px: number;
  readonly to_px: number;
  readonly frame: Frame;
  readonly top_px: number;
  readonly bottom_px: number;
}

/** Windows of nothing that somebody scrolls over. */
const EMPTY_MAX = 30;

/** Nobody scrolls to the side over a whole window of nothing. */
export function beyondGap(aside: readonly Aside[]): Text[] {
  // What is in the window needs no order.
  const beside = aside.filter(({ from_px }) => from_px > 0);
  let reach_px = aside.reduce((reach, { from_px, to_px }) => (from_px > 0 ? reach : Math.max(reach, to_px)), 0);
  const far: Text[] = [];
  for (const { node, from_px, to_px } of beside.toSorted((a, b) => a.from_px - b.from_px)) {
    if (far.length > 0 || from_px > reach_px + innerWidth) far.push(node);
    else reach_px = Math.max(reach_px, to_px);
  }
  return far;
}

interface Item {
  readonly top_px: number;
  readonly bottom_px: number;
  /** What scrolls there by itself. */
  readonly inner: Frame | null;
  readonly node: Text | null;
}

/** Nor down over so many; pictures are something. */
export function beyondDepth(texts: readonly Aside[], pictures: readonly { frame: Frame; box: Box }[]): Text[] {
  const frames = new Map<Frame, Item[]>();
  const put = (frame: Frame, item: Item): void => {
    const list = frames.get(frame);
    if (list) list.push(item);
    else frames.set(frame, [item]);
  };
  const known = new Set<Frame>();
  for (const { node, frame, top_px, bottom_px } of texts) {
    put(frame, { top_px, bottom_px, node, inner: null });
    for (let at = frame; at.parent && !known.has(at); at = at.parent) {
      known.add(at);
      put(at.parent, { top_px: at.port.top, bottom_px: at.port.bottom, node: null, inner: at });
    }
  }
  for (const { frame, box } of pictures)
    put(frame, { top_px: box.top, bottom_px: box.bottom, node: null, inner: null });
  const far = [...frames.values()].flatMap(farItems);
  const farFrames = new Set(far.flatMap(({ inner }) => inner ?? []));
  const isIn = (frame: Frame | null): boolean => frame !== null && (farFrames.has(frame) || isIn(frame.parent));
  const within = farFrames.size > 0 ? texts.filter(({ frame }) => isIn(frame)) : [];
  return [...far.flatMap(({ node }) => node ?? []), ...within.map(({ node }) => node)];
}

function farItems(list: Item[]): Item[] {
  let reach_px = 0;
  list.sort((one, other) => one.top_px - other.top_px);
  const first = list.findIndex(({ top_px, bottom_px }) => {
    if (top_px > reach_px + innerHeight * EMPTY_MAX) return true;
    reach_px = Math.max(reach_px, bottom_px);
    return false;
  });
  return first < 0 ? [] : list.slice(first);
}
