import { describe, expect, it } from "vitest";
import { assemble, readLines } from "../src/pages/pdf/text/document.js";
import { findOnPage, partsOf } from "../src/pages/pdf/find.js";
import type { Item, PageItems } from "../src/pages/pdf/text/pieces.js";
import { pageOf } from "../src/page-starts.js";

const [WIDTH, HEIGHT] = [600, 800];

/** Text at a place, y downwards; every character is half as wide as it is high. */
function item(str: string, left: number, top: number, { size = 10, font = "body", dir = "ltr" } = {}): Item {
  return {
    str,
    dir,
    width: [...str].length * size * 0.5,
    height: size,
    transform: [size, 0, 0, size, left, HEIGHT - top],
    fontName: font,
  };
}

const page = (items: Item[]): PageItems => ({
  items,
  styles: { body: { fontFamily: "serif" }, code: { fontFamily: "monospace" } },
  width: WIDTH,
  height: HEIGHT,
  transform: [1, 0, 0, -1, 0, HEIGHT],
});

const read = (...pages: Item[][]) => assemble(pages.map((items, at) => readLines(at + 1, page(items))));
const texts = async (...pages: Item[][]) => (await read(...pages)).blocks.map(({ kind, text }) => `${kind}: ${text}`);

/** Lines below each other. */
const column = (left: number, top: number, lines: string[], options = {}): Item[] =>
  lines.map((line, at) => item(line, left, top + at * 12, options));

const LEFT = [
  "The first column begins here and",
  "goes on for as many lines as it",
  "takes to be a column of text, and",
  "then it ends in a full stop here.",
];
const RIGHT = [
  "What stands in the second column",
  "comes after all of the first one,",
  "whatever height its lines are at,",
  "and it ends in a full stop too.",
];

describe("items of lists", () => {
  it("go on with a hanging indent, and end with a line that stops short", async () => {
    const lines = [
      item("Whoever moors here keeps to the rules of the keeper of the quay, who is in her house until ten.", 50, 88),
      item("1. Signal with two short blasts, wait until somebody has answered from the wall of the harbour", 50, 112),
      item("and has lit the lamp.", 62, 124),
      item("Ropes of twenty metres lie on the quay for those who have none on board of their own boat.", 62, 136),
    ];
    expect(await texts(lines)).toEqual([
      `paragraph: ${lines[0]!.str}`,
      `listItem: ${lines[1]!.str} ${lines[2]!.str}`,
      `paragraph: ${lines[3]!.str}`,
    ]);
  });
});

describe("reading order", () => {
  it("takes columns one after the other, however the file orders them", async () => {
    const rows = LEFT.flatMap((line, at) => [item(line, 50, 100 + at * 12), item(RIGHT[at]!, 320, 100 + at * 12)]);
    expect(await texts(rows)).toEqual([`paragraph: ${LEFT.join(" ")}`, `paragraph: ${RIGHT.join(" ")}`]);
    expect(await texts([...column(320, 106, RIGHT), ...column(50, 100, LEFT)])).toEqual([
      `paragraph: ${LEFT.join(" ")}`,
      `paragraph: ${RIGHT.join(" ")}`,
    ]);
  });

  it("keeps what lies across the columns between them", async () => {
    const across = "A heading as wide as the whole page that lies across both of the columns";
    const items = [
      ...column(50, 100, LEFT),
      ...column(320, 100, RIGHT),
      item(across, 50, 180, { size: 14 }),
      ...column(50, 220, LEFT),
      ...column(320, 220, RIGHT),
    ];
    const [left, right] = [LEFT, RIGHT].map((lines) => `paragraph: ${lines.join(" ")}`);
    expect(await texts(items)).toEqual([left, right, `heading: ${across}`, left, right]);
  });

  it("reads the right column first where the script goes there", async () => {
    const rtl = { dir: "rtl" };
    const right = [
      "كتب الرجل في العمود الأول هذا الكلام",
      "ثم كتب بعد ذلك سطرا آخر من الكلام",
      "ثم انتهى العمود الأول بهذه الكلمات.",
    ];
    const left = [
      "هذا هو العمود الثاني من هذه الصفحة",
      "وهو يأتي بعد العمود الأول دائما هنا",
      "ثم انتهى العمود الثاني بهذه الكلمات.",
    ];
    const flush = (edge: number, lines: string[]): Item[] =>
      lines.map((line, at) => item(line, edge - line.length * 5, 100 + at * 12, rtl));
    expect(await texts([...flush(250, left), ...flush(550, right)])).toEqual([
      `paragraph: ${right.join(" ")}`,
      `paragraph: ${left.join(" ")}`,
    ]);
  });
});

describe("lines become text", () => {
  it("joins words that a hyphen parts, and keeps hyphens that words have", async () => {
    const lines = [
      "A line may end in a hyphen-",
      "ated word. Those that are well-",
      "known keep theirs, as well-known ones do.",
    ];
    expect(await texts(column(50, 100, lines))).toEqual([
      "paragraph: A line may end in a hyphenated word. Those that are well-known keep theirs, as well-known ones do.",
    ]);
  });

  it("takes ligatures apart and puts no space where a font changes in a word", async () => {
    const items = [
      item("su", 50, 100),
      item("\uFB00", 60, 100),
      item("icient o", 65, 100),
      item("\uFB03", 105, 100),
      item("ce", 110, 100),
    ];
    expect(await texts(items)).toEqual(["paragraph: sufficient office"]);
  });

  it("joins Japanese without spaces", async () => {
    expect(
      await texts(column(50, 100, ["潮の満ち引きで回る水車は、海の近くに", "建てられた古い機械である。"])),
    ).toEqual(["paragraph: 潮の満ち引きで回る水車は、海の近くに建てられた古い機械である。"]);
  });

  it("parts paragraphs of Japanese where a sentence ends on a short line or with the page", async () => {
    const first = [
      "潮の満ち引きで回る水車は、海の近くにある",
      "古い機械である。",
      "その石は、川の上にある古い村でひかれた麦を",
      "粉にした。",
    ];
    const next = ["水車の扉は、潮が満ちるときにだけ開かれた。"];
    const paragraphs = [first.slice(0, 2).join(""), first.slice(2).join(""), ...next];
    const wanted = paragraphs.map((text) => `paragraph: ${text}`);
    expect(await texts(column(50, 100, first), column(50, 100, next))).toEqual(wanted);
  });

  it("knows headings by their size, list items by their bullets, code by its face, and captions by their words", async () => {
    const items = [
      item("Methods", 50, 80, { size: 16 }),
      ...column(50, 110, LEFT),
      item("• The first thing", 60, 170),
      item("• The second thing", 60, 182),
      item("let answer = 42;", 50, 210, { font: "code" }),
      item("return answer;", 50, 222, { font: "code" }),
      item("Figure 3: The gates at low tide", 50, 260),
    ];
    expect(await texts(items)).toEqual([
      "heading: Methods",
      `paragraph: ${LEFT.join(" ")}`,
      "listItem: The first thing",
      "listItem: The second thing",
      "code: let answer = 42;\nreturn answer;",
      "caption: Figure 3: The gates at low tide",
    ]);
  });

  it("reads rows of a table with the names of their columns", async () => {
    const rows = [
      ["Mill", "Wheels", "Hectares"],
      ["Faro", "2", "7"],
      ["Tavira", "5", "11"],
    ];
    const items = rows.flatMap((row, at) => row.map((cell, place) => item(cell, 50 + place * 150, 100 + at * 14)));
    expect((await read(items)).blocks).toEqual([
      { kind: "table", text: "Faro\t2\t7", headers: rows[0] },
      { kind: "table", text: "Tavira\t5\t11", headers: rows[0] },
    ]);
  });

  it("begins a paragraph at an indent, and goes on across pages in the middle of a sentence", async () => {
    const first = [
      item("    ", 50, 88),
      ...column(50, 100, LEFT),
      item("A new paragraph that is indented", 62, 148),
      item("and which does not end before the", 50, 160),
    ];
    const second = column(50, 100, ["page does, but on the next one.", ...LEFT]);
    const { blocks, pages } = await read(first, second);
    expect(blocks.map(({ text }) => text)).toEqual([
      LEFT.join(" "),
      `A new paragraph that is indented and which does not end before the page does, but on the next one. ${LEFT.join(" ")}`,
    ]);
    const at = blocks[1]!.text.indexOf("page does");
    expect(pages).toEqual([
      [0, 0],
      [1, at],
    ]);
    expect([pageOf(pages, 0, 0), pageOf(pages, 1, 0), pageOf(pages, 1, at - 1), pageOf(pages, 1, at)]).toEqual([
      1, 1, 1, 2,
    ]);
  });
});

describe("what is no text of the document", () => {
  const pages = [1, 2, 3, 4].map((number) => [
    item("Journal of Mills", 250, 30, { size: 8 }),
    ...column(
      50,
      100,
      LEFT.map((line) => `${line} ${"abcd"[number - 1]}`),
    ),
    ...(number === 2
      ? [item("1", 50, 700, { size: 6 }), item("A note that explains the word above.", 56, 702, { size: 8 })]
      : []),
    item(String(number), 300, 780, { size: 8 }),
  ]);

  it("leaves out running headers, page numbers and footnotes, and says so", async () => {
    const { blocks, leftOut, wordsVisible, wordsRead } = await read(...pages);
    const all = blocks.map(({ text }) => text).join(" ");
    expect(all).not.toMatch(/Journal|A note/);
    expect(blocks.length).toBe(4);
    expect(leftOut.map(({ kind, count, words }) => [kind, count, words])).toEqual([
      ["runningHeads", 8, 16],
      ["notes", 1, 8],
    ]);
    expect(wordsVisible - wordsRead).toBe(24);
  });

  it("keeps lines of text that differ in their numbers only", async () => {
    const line = (number: number): string =>
      `In that year the harbour was visited by ${number} ships, and each of them paid its toll.`;
    const { leftOut, blocks } = await read(
      ...[1, 2, 3].map((number) => column(50, 60, [line(number), line(number + 10)])),
    );
    expect([leftOut, blocks.length]).toEqual([[], 3]);
  });

  it("keeps a line that stands on one page only, wherever it is", async () => {
    const { blocks } = await read([item("A title at the very top", 200, 30, { size: 20 }), ...column(50, 100, LEFT)]);
    expect(blocks[0]).toEqual({ kind: "heading", text: "A title at the very top" });
  });

  it("leaves out letters that are no characters, and keeps signs", async () => {
    const secret = "The keeper writes".replace(/\S/g, (one) => String.fromCodePoint(0xe000 + one.charCodeAt(0)));
    const unknown = "of every boat".replace(/\S/g, "\uFFFD");
    const items = [
      ...column(50, 100, LEFT),
      item(secret, 50, 160),
      item(unknown, 50, 172),
      item("\uF0B7 A thing", 50, 200),
    ];
    const { blocks, leftOut, wordsVisible, wordsRead } = await read(items);
    expect(blocks[0]?.text).toBe(LEFT.join(" "));
    expect(blocks.at(-1)?.text).toMatch(/A thing$/);
    expect(leftOut).toEqual([{ kind: "garbled", count: 2, words: 6, texts: [] }]);
    expect(wordsVisible - wordsRead).toBe(6);
  });

  it("leaves out what stands askew", async () => {
    const stamp: Item = { ...item("arXiv stamp", 20, 400), transform: [0, 10, -10, 0, 20, 400] };
    const { blocks, leftOut } = await read([stamp, ...column(50, 100, LEFT)]);
    expect(blocks.length).toBe(1);
    expect(leftOut).toEqual([{ kind: "other", count: 1, words: 2, texts: ["arXiv stamp"] }]);
  });
});

describe("finding a passage again", () => {
  it("gives the items that it stands in, hyphens and columns in between", async () => {
    const lines = ["This is said twice. A pas-", "sage may be said twice. It", "is the second that counts."];
    const items = page(column(50, 100, lines));
    const { blocks, pages } = await assemble([readLines(1, items)]);
    const block = blocks[0]!.text;
    const text = "A passage may be said twice.";
    const start = block.indexOf(text);
    const [part] = partsOf({ block: 0, start, end: start + text.length, text }, block, pages);
    const found = findOnPage(items, part!).map(({ item: at, from, to }) => lines[at]!.slice(from, to));
    expect(found).toEqual(["A pas-", "sage may be said twice."]);
  });

  it("parts a passage at the break of a page", async () => {
    const one = page(column(50, 100, LEFT.slice(0, 3)));
    const two = page(column(50, 100, ["then it ends in a full stop here."]));
    const { blocks, pages } = await assemble([readLines(1, one), readLines(2, two)]);
    expect(blocks.map(({ text }) => text)).toEqual([LEFT.join(" ")]);
    const { text } = blocks[0]!;
    const parts = partsOf({ block: 0, start: 0, end: text.length, text }, text, pages);
    expect(parts.map((part) => part.page)).toEqual([1, 2]);
    expect(findOnPage(one, parts[0]!).length).toBe(3);
    expect(findOnPage(two, parts[1]!).length).toBe(1);
    expect(findOnPage(two, parts[0]!)).toEqual([]);
  });
});
