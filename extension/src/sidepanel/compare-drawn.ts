// Passages against the pixels of their page. The picture stays in this function: nothing of it is kept or sent.
import type { Drawn } from "../drawn-wire.js";
import { inkShare, isDrawn, type Picture } from "./ink.js";

/** Chrome takes two pictures a second at most. */
const APART_MS = 600;
/** Letters of a font that is loaded yet, and what fades in, are drawn by then. */
const AGAIN_MS = 1_500;

/** A page that moves, a window that changes its size: so often a picture is taken until it fits to the places. */
const PICTURES_MAX = 4;

/** Of the window's size: the picture may be off by so much. */
const SIZE_MAX = 0.02;

let last_ms = -Infinity;

export interface Compared {
  /** Which passages are not on the page any more, by their number. */
  gone: number[];
  /** Which stand in the window, and nothing is drawn there. */
  blank: number[];
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Looks at the places of passages; `find` asks the page where they are. */
export async function compareDrawn(tab: number, find: () => Promise<Drawn | undefined>): Promise<Compared> {
  const first = await lookUntilItFits(tab, find);
  if (first.blank.length === 0) return first;
  await wait(AGAIN_MS);
  const second = await lookUntilItFits(tab, find);
  return { gone: second.gone, blank: second.blank.filter((one) => first.blank.includes(one)) };
}

async function lookUntilItFits(tab: number, find: () => Promise<Drawn | undefined>): Promise<Compared> {
  for (let pictures = 1; ; pictures++) {
    const { fits, ...found } = await look(tab, find);
    if (fits || pictures === PICTURES_MAX) return found;
    await wait(AGAIN_MS);
  }
}

/** `fits`: whether passages and picture could be compared, where any of them is in the window. */
async function look(tab: number, find: () => Promise<Drawn | undefined>): Promise<Compared & { fits: boolean }> {
  const before = await find();
  const gone = before?.places.flatMap(({ isFound }, i) => (isFound ? [] : [i])) ?? [];
  const isInWindow = before?.places.some(({ boxes }) => boxes.length > 0) ?? false;
  if (!before || !isInWindow || before.isZoomed) return { gone, blank: [], fits: true };
  const picture = await capture(tab);
  const after = picture && (await find());
  // What has moved meanwhile is somewhere else in the picture.
  if (!picture || JSON.stringify(after) !== JSON.stringify(before)) return { gone, blank: [], fits: false };
  const scale = picture.width / before.width;
  // Of a window that is drawn at another size than it has, places are not known.
  const isWhole = [scale, picture.height / before.height].every((one) => Math.abs(one / before.ratio - 1) < SIZE_MAX);
  if (!isWhole) return { gone, blank: [], fits: false };
  const blank = before.places.flatMap(({ boxes }, i) => {
    const shares = boxes.map(({ left, top, right, bottom }) =>
      inkShare(picture, { left: left * scale, top: top * scale, right: right * scale, bottom: bottom * scale }),
    );
    return shares.length > 0 && !shares.some(isDrawn) ? [i] : [];
  });
  return { gone, blank, fits: true };
}

/** What the tab shows; null where it is not in front, or the browser does not let us. */
async function capture(tab: number): Promise<Picture | null> {
  try {
    const { active, windowId } = await chrome.tabs.get(tab);
    if (!active) return null;
    await wait(Math.max(0, last_ms + APART_MS - performance.now()));
    last_ms = performance.now();
    const url = await chrome.tabs.captureVisibleTab(windowId, { format: "png" });
    // Another tab may have come to the front: then it is not this one's picture.
    if (!(await chrome.tabs.get(tab)).active) return null;
    const bytes = Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (unit) => unit.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const { width, height } = bitmap;
    const pen = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    pen?.drawImage(bitmap, 0, 0);
    bitmap.close();
    return pen && { data: pen.getImageData(0, 0, width, height).data, width, height };
  } catch {
    return null;
  }
}
