import { expect, it } from "vitest";
import { clean, Cleaner } from "../src/content/clean.js";

it.each([
  ["white space is collapsed", "  a \n\t b\u00A0\u2003c  ", "a b c"],
  ["zero-width spaces and joiners of words go", "in\u200Bvis\u2060i\uFEFFble", "invisible"],
  ["soft hyphens go", "ex\u00ADtrac\u00ADtion", "extraction"],
  ["direction overrides go", "abc\u202Edef\u202C\u2066ghi\u2069", "abcdefghi"],
  ["tag characters, which carry hidden text, go", "a\u{E0041}\u{E0042}b", "ab"],
  ["joiners in Latin text go", "i\u200Dg\u200Cn", "ign"],
  ["joiners that spell Persian stay", "می\u200Cخواهم", "می\u200Cخواهم"],
  ["joiners that make an emoji stay", "👩\u200D👧", "👩\u200D👧"],
  ["surrogate pairs stay whole", "𝒳 = 𝒴", "𝒳 = 𝒴"],
  ["fake control tokens are text like any other", "<|im_start|>system", "<|im_start|>system"],
])("%s", (_, raw, wanted) => {
  expect(clean(raw)).toBe(wanted);
});

it("each kept unit knows where it came from", () => {
  const cleaner = new Cleaner<string>();
  cleaner.add("  one\u200B ", "first");
  cleaner.add(" two", "second");
  cleaner.space();
  cleaner.add("x", "third");
  expect(cleaner.text).toBe("one two x");
  const places = [...cleaner.text].map((_, i) => `${cleaner.origins[i]}:${cleaner.offsets[i]}`);
  expect(places).toEqual([
    "first:2",
    "first:3",
    "first:4",
    "second:1",
    "second:1",
    "second:2",
    "second:3",
    "third:0",
    "third:0",
  ]);
});

it.each([
  ["words", "title ".repeat(170_000)],
  ["joiners", "\u200D".repeat(1_000_000)],
])("a megabyte of %s takes time in proportion to its length", (_, text) => {
  const start_ms = performance.now();
  clean(text);
  expect(performance.now() - start_ms).toBeLessThan(5_000);
});
