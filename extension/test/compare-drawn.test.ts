import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Drawn } from "../src/drawn-wire.js";
import { compareDrawn } from "../src/sidepanel/compare-drawn.js";

const places: Drawn["places"] = [{ isFound: true, boxes: [{ left: 10, top: 10, right: 60, bottom: 30 }] }];
const window = { width: 100, height: 50, scrollX: 0, scrollY: 0, ratio: 1, isZoomed: false };
/** The sizes of the next pictures, all of them white; the last one stays. */
let sizes: [number, number][];
let pictures: number;
let active: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  pictures = 0;
  active = true;
  vi.stubGlobal("chrome", {
    tabs: {
      get: async () => ({ active, windowId: 1 }),
      captureVisibleTab: async () => (pictures++, "data:image/png;base64,AAAA"),
    },
  });
  vi.stubGlobal("createImageBitmap", async () => {
    const [width, height] = sizes.length > 1 ? sizes.shift()! : sizes[0]!;
    return { width, height, close: () => {} };
  });
  const getImageData = (_x: number, _y: number, width: number, height: number) => ({
    data: new Uint8ClampedArray(width * height * 4).fill(255),
  });
  class Canvas {
    getContext = () => ({ drawImage: () => {}, getImageData });
  }
  vi.stubGlobal("OffscreenCanvas", Canvas);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function compare(find: () => Promise<Drawn | undefined>) {
  const compared = compareDrawn(1, find);
  await vi.advanceTimersByTimeAsync(60_000);
  return compared;
}

it("what is not drawn in two pictures is blank", async () => {
  sizes = [[100, 50]];
  expect(await compare(async () => ({ places, ...window }))).toEqual({ gone: [], blank: [0] });
  expect(pictures).toBe(2);
});

it("while the window changes its size, or the page moves, pictures are taken anew", async () => {
  sizes = [
    [80, 50],
    [100, 50],
  ];
  let asked = 0;
  const find = async (): Promise<Drawn> => ({ places, ...window, scrollY: asked++ < 4 ? asked : 0 });
  expect(await compare(find)).toEqual({ gone: [], blank: [0] });
});

it("a picture that never fits tells nothing, and a tab in the background has none", async () => {
  sizes = [[80, 50]];
  expect(await compare(async () => ({ places, ...window }))).toEqual({ gone: [], blank: [] });
  expect(pictures).toBe(4);
  active = false;
  expect(await compare(async () => ({ places, ...window }))).toEqual({ gone: [], blank: [] });
  expect(pictures).toBe(4);
});
