import { describe, expect, it } from "vitest";
import type { PageDocument } from "../src/export/document.js";
import { readEntry } from "../src/history/entry.js";
import { hasWords, queryWords } from "../src/history/search.js";
import { closest, cosine, quantize, readVectors, textsOf } from "../src/history/vectors.js";

const document: PageDocument = {
  title: "Über Moore",
  address: "https://bog.example/peat",
  dateMs: 1,
  language: "en",
  writer: null,
  lines: [{ text: "Peat is old.", sources: [{ text: "Peat is old.", code: null, link: null }] }],
  questions: [{ id: 7, text: "How deep?", isAnswered: true, lines: [{ text: "Nine metres.", sources: [] }] }],
};
const entry = { id: "a", version: 1, updatedMs: 2, bytes: 3, document };

describe("a stored record", () => {
  it("is read as it was written", () =>
    expect(readEntry(entry)).toEqual({ id: "a", updatedMs: 2, kind: "entry", entry }));

  it("of a newer version is not shown", () => {
    expect(readEntry({ ...entry, version: 2, document: "something else" })).toEqual({
      id: "a",
      updatedMs: 2,
      kind: "newer",
    });
  });

  it.each([
    [null],
    ["text"],
    [[]],
    [{}],
    [{ ...entry, version: 0 }],
    [{ ...entry, version: "1" }],
    [{ ...entry, updatedMs: Number.NaN }],
    [{ ...entry, updatedMs: 1e300 }],
    // Years in which nobody has read anything, and sizes that no entry has.
    [{ ...entry, updatedMs: 8e15 }],
    [{ ...entry, updatedMs: -1 }],
    [{ ...entry, bytes: -5e15 }],
    [{ ...entry, bytes: 5e15 }],
    [{ ...entry, document: { ...document, dateMs: 8e15 } }],
    [{ ...entry, document: null }],
    [{ ...entry, document: { ...document, title: 5 } }],
    [{ ...entry, document: { ...document, lines: [{ text: "a" }] } }],
    [{ ...entry, document: { ...document, lines: [{ text: "a", sources: [{ text: "b" }] }] } }],
    [{ ...entry, document: { ...document, questions: [{ text: "a", lines: [] }] } }],
    ...[{ speaker: 5 }, { second: "1" }, { second: -1 }, { pdfPage: Number.NaN }, { pdfPage: 1e9 }].map(
      (more): [unknown] => {
        const source = { text: "b", code: null, link: null, ...more };
        return [{ ...entry, document: { ...document, lines: [{ text: "a", sources: [source] }] } }];
      },
    ),
  ] as [unknown][])("%j is damaged", (record) => expect(readEntry(record).kind).toBe("damaged"));
});

describe("a search by words", () => {
  it.each([
    ["uber moore", true],
    ["PEAT", true],
    ["deep nine", true],
    ["bog.example", true],
    ["peat granite", false],
    ["", false],
    ["!?", false],
  ])("for %j finds: %j", (query, found) => expect(hasWords(document, queryWords(query))).toBe(found));

  it("looks for a bounded number of words", () => expect(queryWords("a ".repeat(100_000))).toHaveLength(16));
});

describe("vectors", () => {
  const unit = (...values: number[]) => quantize(values.map((one) => one / Math.hypot(...values)));

  it("keep their angles in 8 bits", () => {
    expect(cosine(unit(1, 0), unit(1, 0))).toBeCloseTo(1, 2);
    expect(cosine(unit(1, 0), unit(0, 1))).toBeCloseTo(0, 2);
    expect(cosine(unit(1, 1), unit(1, 0))).toBeCloseTo(Math.SQRT1_2, 2);
    expect(cosine(unit(1, 1, 1), unit(1, 0))).toBe(0);
  });

  it("give the closest text of all parts", () => {
    const parts = { summary: [{ text: "x", values: unit(1, 0) }], 7: [{ text: "y", values: unit(0, 1) }] };
    expect(closest({ id: "a", parts }, unit(1, 9), "")?.text).toBe("y");
    expect(closest({ id: "a", parts: {} }, unit(1, 9), "")).toBeNull();
  });

  it("are of the title and the lines, or of a question and its answer", () => {
    expect(textsOf(document, "summary")).toEqual(["Über Moore", "Peat is old."]);
    expect(textsOf(document, "7")).toEqual(["How deep?", "Nine metres."]);
    expect(textsOf(document, "8")).toEqual([]);
  });

  it("are bounded", () => {
    const lines = Array.from({ length: 500 }, () => ({ text: "x".repeat(100_000), sources: [] }));
    const texts = textsOf({ ...document, lines }, "summary");
    expect(texts.length).toBeLessThanOrEqual(24);
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(1_000);
  });

  it.each([[null], [{}], [{ id: 1, parts: {} }], [{ id: "a", parts: { s: [{ text: "x", values: [1, 2] }] } }]])(
    "%j are none",
    (record) => expect(readVectors(record)).toBeNull(),
  );
});
