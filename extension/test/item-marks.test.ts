import { describe, expect, it } from "vitest";
import { markOf } from "../src/text/item-marks.js";

describe("the number of an item", () => {
  it.each([
    [5, "decimal", "5"],
    [-1, "decimal", "-1"],
    [1, "lower-alpha", "a"],
    [28, "lower-latin", "ab"],
    [702, "upper-alpha", "ZZ"],
    [4, "lower-roman", "iv"],
    [1949, "upper-roman", "MCMXLIX"],
    [0, "lower-roman", null],
    [3, "none", null],
    [3, "disc", null],
    [3, "hebrew", null],
  ])("%i as %s", (value, style, mark) => {
    expect(markOf(value, style)).toBe(mark);
  });
});
