import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clean } from "../src/content/clean.js";
import { manyLines, oneLine } from "../src/export/text.js";
import { seen, shortName, shown } from "../src/text/seen.js";

// The engine's cleaner passes the same file.
const file = new URL("../../engine/tests/digest/seen.json", import.meta.url);
const cases = JSON.parse(readFileSync(file, "utf8")) as {
  never: [number, number][];
  guests: [number, number][];
  kept: string[];
  mended: [string, string][];
};

describe("what nobody sees", () => {
  it.each(cases.kept)("leaves scripts whole: %s", (text) => {
    for (const cleaner of [seen, shown, manyLines]) expect(cleaner(text)).toBe(text);
    expect(clean(text)).toBe(text.replace(/\s+/g, " "));
    expect(oneLine(text)).toBe(text.replace(/\s+/g, " "));
  });

  it.each(cases.mended)("leaves %j as %j", (raw, wanted) => {
    expect(seen(raw)).toBe(wanted);
    expect(clean(raw)).toBe(wanted.replace(/\s+/g, " "));
    expect(manyLines(raw)).toBe(wanted);
  });

  it("takes every listed character from Latin text, and no other", () => {
    const listed = new Set(
      [...cases.never, ...cases.guests].flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, at) => from + at),
      ),
    );
    const wrong: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      const isGone = seen(`a${String.fromCodePoint(code)}b`) === "ab";
      if (isGone !== (listed.has(code) || (code >= 0xd800 && code <= 0xdfff))) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});

it("a name is cut behind 80 characters, without what turns it round", () => {
  expect(shortName("model\u202Efugg.exe")).toBe("modelfugg.exe");
  expect(shortName("😀".repeat(90))).toBe(`${"😀".repeat(80)}…`);
  expect(shown("\u2068name\u2069 in \u202Eours")).toBe("\u2068name\u2069 in ours");
});
