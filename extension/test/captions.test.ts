import { describe, expect, it } from "vitest";
import { linesOf } from "../src/content/captions/cue-text.js";
import { Paragraphs } from "../src/content/captions/paragraphs.js";
import { ranked } from "../src/content/captions/tracks.js";
import { clockTime, secondOf } from "../src/caption-times.js";

const track = (kind: string, language: string, isShown = false, isDefault = false) => ({
  kind,
  language,
  isShown,
  isDefault,
});

describe("the choice of a track", () => {
  it.each([
    ["the page's language", [track("captions", "de"), track("captions", "en")], ["en", "de"], "captions en"],
    ["the reader's language", [track("captions", "fr"), track("captions", "de")], ["en", "de"], "captions de"],
    ["captions, not subtitles", [track("subtitles", "en"), track("captions", "en")], ["en"], "captions en"],
    ["the language before the kind", [track("captions", "fr"), track("subtitles", "en")], ["en"], "subtitles en"],
    ["a region of the language", [track("captions", "pt-PT"), track("captions", "pt-BR")], ["pt-br"], "captions pt-BR"],
    ["speech, not descriptions", [track("descriptions", "en"), track("subtitles", "fr")], ["en"], "subtitles fr"],
    ["what the viewer sees", [track("captions", "en"), track("captions", "en-GB", true)], ["de"], "captions en-GB"],
    ["descriptions alone", [track("chapters", "en"), track("descriptions", "en")], ["en"], "descriptions en"],
  ])("prefers %s", (_, tracks, languages, best) => {
    const [first] = ranked(tracks, languages);
    expect(`${first?.kind} ${first?.language}`).toBe(best);
  });

  it("finds no text in chapters and metadata", () => {
    expect(ranked([track("chapters", "en"), track("metadata", "en")], ["en"])).toEqual([]);
  });
});

describe("the lines of a cue", () => {
  it.each([
    ["<v Ada>Good <i>evening</i> &amp; welcome.</v>", [["Good evening & welcome.", "Ada"]]],
    [
      "<v.first.loud Ada Lovelace>Hello.</v><v Ben>Hi.",
      [
        ["Hello.", "Ada Lovelace"],
        ["Hi.", "Ben"],
      ],
    ],
    [
      "- Who is there?\n- The miller.",
      [
        ["Who is there?", null],
        ["The miller.", null],
      ],
    ],
    ["- one dash is no dialogue", [["- one dash is no dialogue", undefined]]],
    [">> ADA: The gate is shut.", [["The gate is shut.", "ADA"]]],
    [">> Ben: It is open.", [["It is open.", "Ben"]]],
    [">>It is open.", [["It is open.", null]]],
    ["ADA LOVELACE: Quite so.", [["Quite so.", "ADA LOVELACE"]]],
    ["Note: this is no name", [["Note: this is no name", undefined]]],
    ["[applause]\nThank you. ♪", [["Thank you.", undefined]]],
    ["(wind howls)", []],
    ["<ruby>東京<rt>とうきょう</rt></ruby>です", [["東京です", undefined]]],
    ["1 &lt; 2 &#9731; &#x2603; &#55296;", [["1 < 2 ☃ ☃", undefined]]],
    ["<00:00:01.500><c>word</c> by <c.x>word</c>", [["word by word", undefined]]],
  ] as const)("%j", (raw, lines) => {
    expect(linesOf(raw).map(({ text, speaker }) => [text, speaker])).toEqual(lines);
  });
});

const join = (...cues: [start: number, end: number, text: string][]) => {
  const paragraphs = new Paragraphs();
  for (const [start, end, text] of cues) paragraphs.add({ start, end, text });
  return paragraphs.all;
};

describe("paragraphs", () => {
  it("goes on with a sentence in the next cue, and remembers when", () => {
    const [one, ...rest] = join([1, 3, "The lock of Averby"], [3, 5, "lifts boats\nof forty tonnes."]);
    expect(rest).toEqual([]);
    expect(one).toEqual({
      text: "The lock of Averby lifts boats of forty tonnes.",
      speaker: null,
      times: [
        [0, 1],
        [19, 3],
        [31, 3],
      ],
    });
  });

  it("takes rolling captions once", () => {
    const texts = join(
      [0, 2, "we start with the flour"],
      [2, 2.01, "we start with the flour"],
      [2.01, 4, "we start with the flour\nand then the water"],
      [4, 6, "and then the water\nwhich must be warm"],
      [6, 8, "which must be warm\nbut not hot"],
    ).map(({ text }) => text);
    expect(texts).toEqual(["we start with the flour and then the water which must be warm but not hot"]);
  });

  it("takes captions that grow by a word once", () => {
    const texts = join([0, 1, "We"], [1, 2, "We bake"], [2, 3, "We bake bread"], [3, 4, "We bake bread."]);
    expect(texts.map(({ text }) => text)).toEqual(["We bake bread"]);
  });

  it("keeps what is said twice", () => {
    expect(join([0, 1, "No. No."], [1, 2, "No."], [9, 10, "I said no. No."]).map(({ text }) => text)).toEqual([
      "No. No. No.",
      "I said no. No.",
    ]);
  });

  it("begins anew with each speaker and after a pause", () => {
    const found = join(
      [0, 1, "<v Ada>Good evening."],
      [1, 2, "Come in."],
      [2, 3, "<v Ben>Thank you."],
      [3, 4, "<v Ben>It is cold."],
      [20, 21, "Is that all?"],
    );
    expect(found.map(({ speaker, text }) => [speaker, text])).toEqual([
      ["Ada", "Good evening. Come in."],
      ["Ben", "Thank you. It is cold."],
      ["Ben", "Is that all?"],
    ]);
  });

  it("puts no spaces between Chinese lines, and ends long paragraphs", () => {
    expect(join([0, 1, "水位"], [1, 2, "上升了。"]).map(({ text }) => text)).toEqual(["水位上升了。"]);
    const long = join(
      ...Array.from({ length: 40 }, (_, at): [number, number, string] => [
        at,
        at + 1,
        `Cue number ${at} ends here with a stop.`,
      ]),
    );
    expect(long.length).toBeGreaterThan(2);
    expect(Math.max(...long.map(({ text }) => text.length))).toBeLessThan(700);
  });
});

describe("times of captions", () => {
  const times = [
    [7, 0, 1],
    [7, 40, 9.5],
    [8, 0, 3700],
  ] as const;

  it("have the second of a place", () => {
    expect(secondOf(times, 6, 0)).toBeNull();
    expect([0, 39, 40, 900].map((offset) => secondOf(times, 7, offset))).toEqual([1, 1, 9.5, 9.5]);
    expect(secondOf(times, 9, 0)).toBeNull();
  });

  it.each([
    [0, "0:00"],
    [65.9, "1:05"],
    [3725, "1:02:05"],
  ])("writes %s s as %s", (seconds, text) => {
    expect(clockTime(seconds)).toBe(text);
  });
});
