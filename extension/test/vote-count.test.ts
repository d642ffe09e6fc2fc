import { describe, expect, it } from "vitest";
import { countOf } from "../src/content/vote-count.js";

describe("votes beside a post", () => {
  it.each([
    ["187", 187],
    ["▲-3▼", -3],
    ["▲ 312 ▼ ✓", 312],
    ["−12", -12],
    ["+4", 4],
    ["1,204 votes", null],
    ["12 of 30", null],
    ["", null],
    ["score", null],
    ["9".repeat(40), null],
  ])("%j: %j", (text, count) => expect(countOf(text)).toBe(count));
});
