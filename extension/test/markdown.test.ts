import { describe, expect, it } from "vitest";
import { Markdown, titleInHead, withoutHead } from "../src/content/blocks/markdown.js";
import { withoutSigns } from "../src/content/blocks/markdown-signs.js";
import { begunBy, closedUp } from "../src/content/blocks/plain-lines.js";

const bare = (line: string): string => [...withoutSigns(line)].map(({ text }) => text).join("");

/** The blocks of a file. */
function read(file: string): string[] {
  const markdown = new Markdown();
  const blocks: string[] = [];
  let text = "";
  const end = (): void => {
    if (text.trim()) blocks.push(`${markdown.kind}: ${text.trim()}`);
    text = "";
  };
  for (const stretch of markdown.stretches(file, 0)) {
    if (stretch.begins) end();
    if (stretch.text) expect(file.slice(stretch.from)).toContain(stretch.text.trim());
    text += stretch.text;
  }
  end();
  return blocks;
}

describe("signs within a line", () => {
  it.each([
    ["marks of notes", "It has no plan,[^1] they say.[^a-b]", "It has no plan, they say."],
    ["comments", "The third arch <!-- check it --> sings.", "The third arch  sings."],
    ["a comment that goes on below", "The arch sings. <!-- check\n", "The arch sings. "],
    ["what is struck out", "It costs ~~9~~ 8 crowns.", "It costs  8 crowns."],
    [
      "links",
      "See [the coast](https://e.example/a_b), [the weir][1] and <https://e.example/c_d>.",
      "See the coast, the weir and https://e.example/c_d.",
    ],
    ["a picture in a link", "[![State](https://e.example/s.svg)](https://e.example) It holds.", "State It holds."],
    ["code as it is written", "Call `a_b_c` and ``x ` <b> *y*``.", "Call a_b_c and x ` <b> *y*."],
    ["escaped signs", "2 \\* 3 \\_ 4", "2 * 3 _ 4"],
    [
      "lines below words",
      "_It_ is _very **old** wood_, says snake_case_name.",
      "It is very old wood, says snake_case_name.",
    ],
    ["elements", '<p align="center">The <b>weir</b><br>and the mill</p>', " The weir and the mill "],
    ["what is no sign", "a < b, x > y, List<String>, 3 * 4 and [sic]", "a < b, x > y, List<String>, 3 * 4 and [sic]"],
  ])("%s", (_, line, wanted) => expect(bare(line)).toBe(wanted));

  it.each(["`", "_a ", "~~a ", "<a ", "[", "\\[", "[a][", "<!--", "[^", "](", "*a ", "` "])(
    "many of %j take no time",
    (sign) => {
      // The least of several: others may run meanwhile.
      const times_ms = Array.from({ length: 5 }, () => {
        const begun_ms = performance.now();
        bare(sign.repeat(4_000 / sign.length));
        return performance.now() - begun_ms;
      });
      expect(Math.min(...times_ms)).toBeLessThan(50);
    },
  );
});

describe("files", () => {
  it("data before the text is none of it", () => {
    for (const edge of ["---", "+++"]) {
      const file = `${edge}\ntitle = "Oil and wicks"\nweight = 3\n${edge}\n\nThe oil froze.\n`;
      expect(titleInHead(file)).toBe("Oil and wicks");
      expect(withoutHead(file).trim()).toBe("The oil froze.");
      expect(read(file)).toEqual(["paragraph: The oil froze."]);
    }
  });

  it("comments over several lines, and where links lead, are left out; notes are read", () => {
    const file =
      "The arch\n<!-- first\n\nsecond -->\nsings.\n\n[1]: https://e.example 'Weir'\n[^1]: Nobody has\n  seen it.\n[^2]: It is lost.\n";
    expect(read(file)).toEqual([
      "paragraph: The arch",
      "paragraph: sings.",
      "paragraph: Nobody has\n  seen it.",
      "paragraph: It is lost.",
    ]);
  });

  it("code keeps its signs", () => {
    expect(read("```\na_b_ <b>\n\n# c\n```\n")).toEqual(["code: a_b_ <b>\n\n# c"]);
  });
});

describe("plain text", () => {
  const begun = (text: string): string[] =>
    [...begunBy(text)].map(([at, kind]) => `${kind}: ${text.slice(at, at + 6).trim()}`);

  it.each([
    ["indented paragraphs", "  It was\nold.\n  They\nleft it.\n", ["paragraph: They"]],
    ["an indent within a sentence", "It was\n  old.\nThey left.\n", []],
    ["a text that is indented", "  It was.\n  They.\n  Left.\nNow.\n", []],
    ["Chinese paragraphs", "　　它很老。\n　　他们走了。\n", ["paragraph: 他们走了"]],
    ["lines as long as paragraphs", `${"It was old and grey. ".repeat(6)}\nThey left.\n`, ["paragraph: They l"]],
    ["lines that are wrapped", "The weir is old.\nIt holds.\n", []],
    [
      "rows",
      "Depths.\nPort\tBerths\nBremen\t12\nAll in metres.\n",
      ["row: Port\tB", "row: Bremen", "paragraph: All in"],
    ],
    ["one tab", "The weir\tis old.\nIt holds.\n", []],
  ])("%s", (_, text, wanted) => expect(begun(text)).toEqual(wanted));

  it.each([
    ["a word that is parted at its hyphen", "It is end-\n   to-end.\n", "It is end-to-end.\n"],
    ["a list, and a dash", "It is old -\nand grey.\n- one\n- two\n", "It is old -\nand grey.\n- one\n- two\n"],
    ["a name behind a hyphen", "The Anglo-\nSaxons left.\n", "The Anglo-\nSaxons left.\n"],
  ])("%s", (_, text, wanted) => {
    let at = 0;
    const lines = text.split(/(?<=\n)/).map((line) => {
      const { start, end } = closedUp(text, at, (at += line.length));
      return text.slice(start, end);
    });
    expect(lines.join("")).toBe(wanted);
  });
});
