import { describe, expect, it } from "vitest";
import { inkShare, isDrawn } from "../src/sidepanel/ink.js";

const WIDE = 400;
const HIGH = 40;

type Paint = (x: number, y: number) => readonly [number, number, number];

function picture(paint: Paint): { data: Uint8ClampedArray; width: number; height: number } {
  const data = new Uint8ClampedArray(WIDE * HIGH * 4);
  for (let y = 0; y < HIGH; y++) for (let x = 0; x < WIDE; x++) data.set([...paint(x, y), 255], (y * WIDE + x) * 4);
  return { data, width: WIDE, height: HIGH };
}

const box = { left: 10, top: 10, right: 390, bottom: 30 };
const shown = (paint: Paint): boolean => isDrawn(inkShare(picture(paint), box));
/** Strokes as thin as those of letters. */
const isStroke = (x: number, y: number): boolean => x % 7 === 0 && y > 12 && y < 28;

describe("ink in a line", () => {
  it("is there where letters differ from their ground", () => {
    expect(shown((x, y) => (isStroke(x, y) ? [0, 0, 0] : [255, 255, 255]))).toBe(true);
    expect(shown((x, y) => (isStroke(x, y) ? [200, 200, 200] : [255, 255, 255]))).toBe(true);
    expect(shown((x, y) => (isStroke(x, y) ? [255, 255, 255] : [20, 20, 30]))).toBe(true);
  });

  it("is not there where nothing is drawn, or what nobody can tell from the ground", () => {
    expect(shown(() => [255, 255, 255])).toBe(false);
    expect(shown((x, y) => (isStroke(x, y) ? [250, 250, 250] : [255, 255, 255]))).toBe(false);
    expect(shown((x) => [255 - (x >> 6), 255, 255])).toBe(false);
  });

  it("has to be along most of the line, and not only in lines above and below", () => {
    expect(shown((x, y) => (x < 60 && isStroke(x, y) ? [0, 0, 0] : [255, 255, 255]))).toBe(false);
    expect(shown((x, y) => (y < 12 && x % 7 === 0 ? [0, 0, 0] : [255, 255, 255]))).toBe(false);
  });

  it("is taken for granted over a picture, whose own points differ", () => {
    expect(shown((x, y) => ((x * 7 + y * 13) % 5 === 0 ? [250, 240, 20] : [10, 60, 90]))).toBe(true);
  });
});
