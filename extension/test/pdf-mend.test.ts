import { describe, expect, it } from "vitest";
import { findOnPage, partsOf } from "../src/pages/pdf/find.js";
import { withAnnotations } from "../src/pages/pdf/form.js";
import { assemble, readLines } from "../src/pages/pdf/text/document.js";
import type { Item, PageItems } from "../src/pages/pdf/text/pieces.js";

const [WIDTH, HEIGHT] = [600, 800];

/** Text at a place, y downwards; every character is half as wide as it is high. */
function item(str: string, left: number, top: number, size = 10, font = "body"): Item {
  const width = [...str].length * size * 0.5;
  return { str, dir: "ltr", width, height: size, transform: [size, 0, 0, size, left, HEIGHT - top], fontName: font };
}

const pageOf = (items: Item[]): PageItems => ({
  items,
  styles: { body: { fontFamily: "serif" } },
  width: WIDTH,
  height: HEIGHT,
  transform: [1, 0, 0, -1, 0, HEIGHT],
});

const read = (items: Item[] | PageItems) => assemble([readLines(1, Array.isArray(items) ? pageOf(items) : items)]);
const texts = async (items: Item[] | PageItems) =>
  (await read(items)).blocks.map(({ kind, text }) => `${kind}: ${text}`);

/** Pieces of one line, one behind the other: text, size, and how much it is raised. */
function line(top: number, ...pieces: [string, number?, number?][]): Item[] {
  let left = 50;
  return pieces.map(([str, size = 10, up = 0]) => {
    const one = item(str, left, top - up, size);
    left += one.width;
    return one;
  });
}

const LINES = [
  "The keeper of the upper lock writes down every boat that passes through the gates in summer,",
  "with its name and its load, and he has done so since the canal was opened to boats of all",
  "sizes by the county, which still pays him a coat a year and as much coal as he can burn in",
  "the small house beside the mill, where he lives with a dog and nine geese of his own choice.",
];

describe("raised and lowered pieces", () => {
  it.each<[string, [string, number?, number?][], string]>([
    [
      "a power",
      [["It held 4 × 10"], ["5", 7, 4], [" germs in a litre of the water."]],
      "It held 4 × 10⁵ germs in a litre of the water.",
    ],
    [
      "a negative power",
      [["It weighs 10"], ["−12", 7, 4], [" grams at the most."]],
      "It weighs 10⁻¹² grams at the most.",
    ],
    ["a unit", [["The pond covers 420 m"], ["2", 7, 4], [" of the meadow."]], "The pond covers 420 m² of the meadow."],
    [
      "a formula",
      [["The tap gives H"], ["2", 7, -2], ["O and some CO"], ["2", 7, -2], [" as well."]],
      "The tap gives H₂O and some CO₂ as well.",
    ],
    [
      "a fraction",
      [["Add 2"], ["1", 7, 4], ["⁄"], ["2", 7, -1], [" cups of flour to it."]],
      "Add 2½ cups of flour to it.",
    ],
    [
      "the mark of a note",
      [["The hotel set out 240 chairs"], ["2", 7, 4], [" in August."]],
      "The hotel set out 240 chairs in August.",
    ],
    [
      "a mark behind a stop",
      [["Nobody believed it."], ["12", 7, 4], [" It was true."]],
      "Nobody believed it. It was true.",
    ],
    ["an ordinal", [["On the 1"], ["st", 7, 4], [" of May it opens again."]], "On the 1st of May it opens again."],
  ])("%s", async (_, pieces, wanted) => {
    expect(await texts(line(100, ...pieces))).toEqual([`paragraph: ${wanted}`]);
  });
});

it("finds passages with powers, and across the marks of notes", async () => {
  const items = line(
    100,
    ["It held 4 × 10"],
    ["5", 7, 4],
    [" germs, and 240 chairs"],
    ["2", 7, 4],
    [" stood beside it."],
  );
  const page = pageOf(items);
  const { blocks } = await read(page);
  const text = blocks[0]?.text ?? "";
  expect(text).toBe("It held 4 × 10⁵ germs, and 240 chairs stood beside it.");
  const source = { block: 0, start: 0, end: text.length, text };
  const [part] = partsOf(source, text, [[0, 0]]);
  expect(findOnPage(page, part!).map(({ item }) => item)).toEqual([0, 1, 2, 4]);
});

describe("what is drawn in a way of its own", () => {
  it("is read once where it is drawn twice, and heads what is below it", async () => {
    const twice = (text: string, top: number): Item[] => [item(text, 50, top), item(text, 50.4, top)];
    const body = LINES.map((text, at) => item(text, 50, 130 + at * 12));
    const last = twice("All letters fall well: nobody loses any.", 200);
    expect(await texts([...twice("Opening hours", 100), ...body, ...last])).toEqual([
      "heading: Opening hours",
      `paragraph: ${LINES.join(" ")}`,
      "paragraph: All letters fall well: nobody loses any.",
    ]);
  });

  it("keeps words that are said twice", async () => {
    expect(await texts([item("Row, row", 50, 100), item("row", 95, 100), item("row", 115, 100)])).toEqual([
      "paragraph: Row, row row row",
    ]);
  });

  it("is a word where its letters are set apart", async () => {
    const heading = [item("T H E", 50, 80), item("L O W E R", 85, 80), item("W E I R", 140, 80)];
    const body = LINES.map((text, at) => item(text, 50, 110 + at * 12));
    expect(await texts([...heading, ...body])).toEqual(["heading: THE LOWER WEIR", `paragraph: ${LINES.join(" ")}`]);
    expect(await texts([item("Choose one of a b c and go on.", 50, 80)])).toEqual([
      "paragraph: Choose one of a b c and go on.",
    ]);
  });

  it.each([
    ["a letter of its word", "T", "homas the keeper writes down every boat that passes through", "Thomas the keeper"],
    ["a word of its own", "A", " keeper writes down every boat that passes through the gates", "A keeper writes"],
  ])("joins a large first letter to its line: %s", async (_, letter, first, wanted) => {
    const beside = [first, ...LINES.slice(1, 3)].map((text, at) => item(text, 82, 100 + at * 12));
    const below = item(LINES[3]!, 50, 136);
    const [paragraph, ...more] = await texts([item(letter, 50, 124, 40), ...beside, below]);
    expect(more).toEqual([]);
    expect(paragraph).toMatch(new RegExp(`^paragraph: ${wanted}.* choice\\.$`));
  });

  it("joins a large first letter to its line across the room beside it", async () => {
    const [first = "", ...rest] = ["homas the keeper writes down every boat that passes through", ...LINES.slice(1, 3)];
    const beside = rest.map((text, at) => item(text, 82, 112 + at * 12));
    const items = [item("T", 50, 124, 40), item(" ", 70, 124, 40), item(first, 82, 100), ...beside];
    expect(await texts(items)).toEqual([`paragraph: T${[first, ...rest].join(" ")}`]);
  });

  it("is read from right to left where it is vertical", async () => {
    const columns = ["村の渡し船は毎朝六時に岸を離れます。", "船頭は七十歳で、雨の日も休みません。"];
    const items = columns.flatMap((text, at) =>
      [...text].map((one, row) => ({ ...item(one, 400 - at * 20, 100 + row * 12, 12), width: 12 })),
    );
    expect(await texts(items)).toEqual([`paragraph: ${columns.join("")}`]);
  });
});

describe("numbers of lines", () => {
  const text = LINES.map((one, at) => item(one, 80, 100 + at * 20));
  const numbered = (step: number, from = 1): Item[] =>
    text.map((_, at) => item(String(from + at * step), 55, 100 + at * 20, 8));

  it.each([
    ["each line", 1, 1],
    ["counted in fives", 5, 5],
    ["from the page before", 1, 38],
  ])("are left out: %s", async (_, step, from) => {
    const { blocks, leftOut } = await read([...text, ...numbered(step, from)]);
    expect(blocks.map(({ text }) => text)).toEqual([LINES.join(" ")]);
    expect(leftOut.map(({ kind, count }) => [kind, count])).toEqual([["runningHeads", 4]]);
  });

  it("are not the first column of a table", async () => {
    const rows = ["Averby", "Sund", "Holm", "Skarv"].flatMap((name, at) => [
      item(String(at + 1), 55, 300 + at * 20),
      item(name, 120, 300 + at * 20),
      item(`${30 + at} m`, 220, 300 + at * 20),
    ]);
    expect((await texts(rows))[0]).toBe("table: 1\tAverby\t30 m");
  });
});

describe("tables and forms", () => {
  it("joins the lines of a cell", async () => {
    const items = [
      ...["Lock", "Keeper", "Rise"].map((text, at) => item(text, 50 + at * 160, 100)),
      ...["Averby, the", "Ottilie Brandt", "4.2 m"].map((text, at) => item(text, 50 + at * 160, 122)),
      item("upper gate", 50, 134),
      ...["Sund", "Hans Lind and", "3.1 m"].map((text, at) => item(text, 50 + at * 160, 156)),
      item("his daughter", 210, 168),
      ...["Holm", "nobody", "1.5 m"].map((text, at) => item(text, 50 + at * 160, 190)),
    ];
    expect((await read(items)).blocks).toEqual([
      { kind: "table", text: "Averby, the upper gate\tOttilie Brandt\t4.2 m", headers: ["Lock", "Keeper", "Rise"] },
      { kind: "table", text: "Sund\tHans Lind and his daughter\t3.1 m", headers: ["Lock", "Keeper", "Rise"] },
      { kind: "table", text: "Holm\tnobody\t1.5 m", headers: ["Lock", "Keeper", "Rise"] },
    ]);
  });

  it("joins the lines of a cell where all rows are equally far apart", async () => {
    const row = (top: number, ...texts: string[]): Item[] =>
      texts.flatMap((text, at) => (text ? [item(text, 50 + at * 160, top)] : []));
    const items = [
      ...row(100, "Lock", "Keeper", "Rise"),
      ...row(112, "Averby", "Ottilie Brandt", "4.2 m"),
      ...row(124, "Sund", "Hans Lind and", "3.1 m"),
      ...row(136, "", "his daughter", ""),
      ...row(148, "Holm", "nobody", "1.5 m"),
    ];
    expect((await read(items)).blocks.map(({ text }) => text)).toEqual([
      "Averby\tOttilie Brandt\t4.2 m",
      "Sund\tHans Lind and his daughter\t3.1 m",
      "Holm\tnobody\t1.5 m",
    ]);
  });

  it("reads what is written into the fields of a form, and nothing that is hidden", async () => {
    const label = (text: string, at: number): Item => item(text, 50, 100 + at * 26);
    const place = (at: number, left = 160): number[] => [
      left,
      HEIGHT - 106 - at * 26,
      left + 220,
      HEIGHT - 88 - at * 26,
    ];
    const annotations = [
      { subtype: "Widget", fieldType: "Tx", fieldValue: "Seabird", rect: place(0) },
      {
        subtype: "Widget",
        fieldType: "Ch",
        fieldValue: ["n"],
        options: [{ exportValue: "n", displayValue: "North quay" }],
        rect: place(1),
      },
      { subtype: "Widget", fieldType: "Btn", checkBox: true, fieldValue: "Yes", exportValue: "Yes", rect: place(2) },
      { subtype: "Widget", fieldType: "Tx", fieldValue: "Secret", annotationFlags: 2, rect: place(2, 300) },
      { subtype: "Widget", fieldType: "Tx", fieldValue: "Password", password: true, rect: place(2, 300) },
      { subtype: "FreeText", textContent: ["Paid on 3 May"], rect: place(3) },
    ];
    const labels = ["Name of the boat:", "Berth:", "Has an engine:", "Remark:"].map(label);
    const page = { getAnnotations: () => Promise.resolve(annotations) } as unknown as Parameters<
      typeof withAnnotations
    >[0];
    expect(await texts(await withAnnotations(page, pageOf(labels)))).toEqual([
      "table: Name of the boat:\tSeabird",
      "table: Berth:\tNorth quay",
      "table: Has an engine:\t☒",
      "table: Remark:\tPaid on 3 May",
    ]);
  });
});

describe("pages whose text goes up or down", () => {
  const rows = [
    "Locks of the canal, and who keeps them",
    "Upper lock: two families, four gates",
    "Lower lock: one family, two gates",
  ];
  /** The rows of an upright page, each placed as `turn` says, from its left edge and its baseline below the top. */
  const turned = (turn: (left: number, top: number, size: number) => number[]): PageItems => ({
    ...pageOf(rows.map((str, at) => ({ ...item(str, 0, 0), transform: turn(60, 60 + at * 14, 10) }))),
  });
  const bare = async (page: PageItems) => (await read(page)).blocks.map(({ text }) => text).join(" ");

  it("reads a page that is turned to the left, in its order", async () => {
    const page = turned((left, top, size) => [0, size, -size, 0, top, left]);
    expect(await bare(page)).toBe(rows.join(" "));
  });

  it("reads a page that is turned to the right, in its order", async () => {
    const page = turned((left, top, size) => [0, -size, size, 0, WIDTH - top, HEIGHT - left]);
    expect(await bare(page)).toBe(rows.join(" "));
  });

  it("reads columns of a vertical font from the right", async () => {
    const columns = ["水門は春に開き、秋に閉じる。", "番人は毎朝、水の高さを書く。", "橋の下を舟が静かに通る。"];
    const items = columns.map((str, at) => ({
      ...item(str, 500 - at * 20, 80, 10, "tate"),
      width: 0,
      height: [...str].length * 10,
    }));
    const page = { ...pageOf(items), styles: { tate: { fontFamily: "serif", vertical: true } } };
    expect((await bare(page)).replaceAll(" ", "")).toBe(columns.join(""));
  });

  it("leaves a few turned words out of an upright page", async () => {
    const upright = LINES.map((str, at) => item(str, 50, 100 + at * 12));
    const aside = { ...item("arXiv stamp", 0, 0), transform: [0, 10, -10, 0, 20, 300] };
    const { blocks, leftOut } = await read([...upright, aside]);
    expect(blocks.map(({ text }) => text).join(" ")).not.toContain("stamp");
    expect(leftOut.flatMap((one) => one.texts)).toContain("arXiv stamp");
  });
});

describe("spaces of the file", () => {
  /** Words whose boxes touch, with spaces between them as items of their own. */
  const touching = (...parts: string[]): Item[] => {
    let left = 50;
    return parts.map((str) => {
      const one = { ...item(str, left, 100), ...(str.trim() === "" && { width: 0 }) };
      left += one.width;
      return one;
    });
  };

  it("part words that touch", async () => {
    const items = touching("The authority that is", " ", "needed to enter into", " ", "this agreement is theirs");
    expect(await texts(items)).toEqual([expect.stringContaining("that is needed to enter into this agreement")]);
  });

  it("are not made where the file has none", async () => {
    expect(await texts(touching("The keeper of the lock writes down every boat that pass", "es in summer"))).toEqual([
      expect.stringContaining("passes in summer"),
    ]);
  });

  it("do not part characters of a script without spaces", async () => {
    const items = touching("水門は春に開き、秋に閉じると番人は", " ", "言った。");
    expect((await texts(items))[0]).toContain("番人は言った。");
  });
});

describe("signs that are no text", () => {
  const list = (signs: readonly string[], font: string): Item[] =>
    signs.flatMap((sign, at) => [
      item(sign, 50, 100 + at * 14, 10, font),
      item(`The ${["rope", "lamp", "bell", "book"][at]} hangs in the house beside the gate.`, 66, 100 + at * 14),
    ]);

  it("letters of a font that only begins lines are bullets, and so are code points without a meaning", async () => {
    const wanted = ["rope", "lamp", "bell"].map((name) => `listItem: The ${name} hangs in the house beside the gate.`);
    expect(await texts(list(["l", "n", "l"], "signs"))).toEqual(wanted);
    expect(await texts(list(["\uF0B7", "\uF0A7", "\uF0B7"], "body"))).toEqual(wanted);
  });

  it("letters that are words of their lines stay", async () => {
    const words = [item("I", 50, 100, 10, "signs"), item("rang the bell of the house by the gate.", 57, 100)];
    const more = [item("a", 50, 114, 10, "signs"), item("bell as large as any in the county.", 57, 114)];
    expect(await texts([...words, ...more])).toEqual([
      "paragraph: I rang the bell of the house by the gate. a bell as large as any in the county.",
    ]);
  });

  it("dots that lead to a number part a row; dots of a sentence stay", async () => {
    const rows = ["The lock .............. 3", "Fees . . . . . . . . . . 12", "Boats ……………………………………………… 40"];
    const items = rows.map((row, at) => item(row, 50, 100 + at * 14));
    expect(await texts(items)).toEqual(["table: The lock\t3", "table: Fees\t12", "table: Boats\t40"]);
    expect(await texts([item("He rang ... and waited.... and then he left the house.", 50, 100)])).toEqual([
      "paragraph: He rang ... and waited.... and then he left the house.",
    ]);
  });
});

it("a number that is parted at its hyphen keeps it, and so does no other word", async () => {
  const items = [
    item("There are twenty-", 50, 100),
    item("one boats, and their keep-", 50, 112),
    item("ers wait.", 50, 124),
  ];
  expect(await texts(items)).toEqual(["paragraph: There are twenty-one boats, and their keepers wait."]);
});

describe("columns close together", () => {
  const words = (from: number): string[] =>
    Array.from({ length: 8 }, (_, at) => `line ${from + at} of the text that goes on`);

  it("are read one after the other where every line begins at the same place", async () => {
    const items = words(0).flatMap((left, at) => [
      item(left.padEnd(32, "n"), 50, 100 + at * 12),
      item(words(100)[at]!, 218, 100 + at * 12),
    ]);
    const found = (await texts(items)).join("\n");
    expect(found.indexOf("line 7")).toBeLessThan(found.indexOf("line 100"));
    expect(found.indexOf("line 1 ")).toBeLessThan(found.indexOf("line 7"));
  });

  it("a gap that stands elsewhere in each line parts nothing", async () => {
    const items = words(0).flatMap((left, at) => {
      const one = item(left, 50, 100 + at * 12);
      return [one, item("and so it does", 50 + one.width + 7 + at, 100 + at * 12)];
    });
    expect((await texts(items)).join("\n")).toMatch(/line 0 of the text that goes on and so it does line 1/);
  });
});

describe("lines from right to left", () => {
  const rtl = (str: string, left: number): Item => ({ ...item(str, left, 100), dir: "rtl" });

  it("brackets that are drawn alone open and close as they are read", async () => {
    // From left to right: a stop, a bracket, a Latin word, Hebrew words, a bracket, Hebrew words.
    const items = [item(".", 50, 100), item("(", 55, 100), item("Wi-Fi", 60, 100), item(" ", 85, 100)];
    const more = [rtl("לא כולל", 90), item(")", 125, 100), item(" ", 130, 100), rtl("המחיר הוא שקלים", 135)];
    expect(await texts([...items, ...more])).toEqual(["paragraph: המחיר הוא שקלים (לא כולל Wi-Fi)."]);
  });

  it("brackets beside letters from left to right stay", async () => {
    const items = [item("(Wi-Fi)", 50, 100), item(" ", 85, 100), rtl("המחיר הוא שקלים", 90)];
    expect(await texts(items)).toEqual(["paragraph: המחיר הוא שקלים (Wi-Fi)"]);
  });
});
