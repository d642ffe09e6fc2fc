import { describe, expect, it } from "vitest";
import { documentOf, isQuote, type PageDocument, questionOnly, summaryOnly } from "../src/export/document.js";
import { fileName } from "../src/export/file-name.js";
import { escapeHtml, toHtml } from "../src/export/html.js";
import { toJson } from "../src/export/json.js";
import { createLinks, encodePart, webAddress } from "../src/export/links.js";
import { escapeMarkdown, toMarkdown } from "../src/export/markdown.js";
import { toPlainText } from "../src/export/plain.js";
import { manyLines, oneLine } from "../src/export/text.js";
import { EMPTY_STATE, type TabState } from "../src/wire.js";

const words = {
  language: "en",
  direction: "ltr",
  summary: "Summary",
  questions: "Questions",
  source: "Show on the page",
  noAnswer: "The page does not seem to say.",
  translated: "translated, not compared",
  pdfPage: (page: number) => `p. ${page}`,
  about: () => "Today",
};
const passage = (text: string, block = 0, start = 0) => ({
  text,
  block,
  start,
  end: start + text.length,
  score: 1,
  headers: [],
  code: null,
  written: null,
  speaker: null,
});
const paragraph = (text: string) => ({ kind: "paragraph" as const, text });
const quote = (text: string, link: string | null = null, code: string | null = null) => ({
  text,
  sources: [{ text, code, link }],
});
const document = (change: Partial<PageDocument> = {}): PageDocument => ({
  title: "Peat",
  address: "https://bog.example/peat",
  dateMs: 0,
  language: "en",
  writer: null,
  lines: [quote("Peat is old.", "https://bog.example/peat#:~:text=Peat%20is%20old")],
  questions: [{ id: 1, text: "How old?", isAnswered: false, lines: [] }],
  ...change,
});

describe("web addresses", () => {
  it.each([
    ["https://a.example/b?c=d", "https://a.example/b?c=d"],
    ["http://a.example", "http://a.example/"],
    ['https://a.example/"><script>', "https://a.example/%22%3E%3Cscript%3E"],
    ["javascript:alert(1)", null],
    ["data:text/html,x", null],
    ["file:///etc/passwd", null],
    ["blob:https://a.example/1", null],
    ["chrome-extension://abc/x", null],
    ["not an address", null],
    ["", null],
  ])("%j is linked to as %j", (address, link) => expect(webAddress(address)).toBe(link));
});

describe("text fragments", () => {
  const page = [
    paragraph("Peat is formed in bogs, slowly. Peat is formed in bogs, where water stands - often for ages & ages."),
    paragraph(
      "A second paragraph begins here and goes on for so many words that nobody would want all of them in a link.",
    ),
    paragraph("Short one."),
    paragraph("Somebody repeats a word. Short one."),
  ];
  const linkTo = createLinks("https://bog.example/peat#top", page, "en");
  const directive = (link: string | null) => link?.split("#:~:text=")[1];

  it("escape dashes, commas, ampersands and what ends a link in a text", () => {
    expect(encodePart("a-b, c & d (e) 'f'")).toBe("a%2Db%2C%20c%20%26%20d%20%28e%29%20%27f%27");
    expect(encodePart("50 % größer")).toBe("50%20%25%20gr%C3%B6%C3%9Fer");
  });

  it("have no lone surrogate", () => expect(encodePart("a\uD800b")).toBe("a%EF%BF%BDb"));

  it("replace the place in the page", () => {
    expect(linkTo(passage("Short one.", 2))).toMatch(/^https:\/\/bog\.example\/peat#:~:text=/);
  });

  it("name a long passage by its first and its last words", () => {
    const link = linkTo(passage(page[1]!.text, 1));
    expect(directive(link)).toBe("A%20second%20paragraph%20begins,them%20in%20a%20link");
  });

  it("take as many first words as occur once on the page", () => {
    const text =
      "Peat is formed in bogs, where water stands - often for ages & ages. And then something more is written.";
    const blocks = [paragraph(`Peat is formed in bogs, slowly. ${text}`)];
    const link = createLinks("https://bog.example/", blocks, "en")(passage(text, 0, 32));
    expect(directive(link)).toBe("Peat%20is%20formed%20in%20bogs%2C%20where%20water,something%20more%20is%20written");
  });

  it("take as many last words as end nowhere before", () => {
    const text =
      "It was said of the old man, who lived by the water, that he had seen the sea and that nobody had seen the sea.";
    const link = createLinks("https://bog.example/", [paragraph(text)], "en")(passage(text));
    expect(directive(link)).toBe("It%20was%20said%20of,and%20that%20nobody%20had%20seen%20the%20sea");
  });

  it("tell a repeated passage by the words before it", () => {
    expect(directive(linkTo(passage("Short one.", 3, 25)))).toBe("Somebody%20repeats%20a%20word.-,Short%20one");
  });

  it("have what stands between the words before and the first word in the prefix", () => {
    const blocks = [paragraph("Yes, it is."), paragraph("He said: “Yes, it is.”")];
    const link = createLinks("https://a.example/", blocks, "en")(passage("“Yes, it is.”", 1, 9));
    expect(directive(link)).toBe("He%20said%3A%20%E2%80%9C-,Yes%2C%20it%20is");
  });

  it("cross the cells of a row by its first and its last one", () => {
    const row = { kind: "table" as const, text: "Iron ore\t1,538 °C\tgrey metal", headers: ["", "", ""] };
    const link = createLinks("https://ore.example/", [row], "en")(passage(row.text));
    expect(directive(link)).toBe("Iron%20ore,grey%20metal");
  });

  it("leave out words that the page writes in another way", () => {
    const text = "The pond holds 3 × 10⁶ cells on 420 m², and the keeper counts all of them 👍 twice.";
    const linkTo = createLinks("https://pond.example/", [paragraph(text)], "en");
    expect(directive(linkTo(passage(text)))).toBe("and%20the%20keeper%20counts%20all%20of%20them");
    expect(directive(linkTo(passage("10⁶ 420 m²")))).toBe("420");
  });

  it("begin and end at words of languages without spaces", () => {
    const text = "日本の首都は東京です。".repeat(12);
    const found = directive(createLinks("https://a.example/", [paragraph(text)], "ja")(passage(text)));
    expect(text).toContain(decodeURIComponent(found!.split(",")[0]!));
  });

  it("are left out where a passage has no words, or one that is too long", () => {
    for (const text of ["…!?", "x".repeat(1_000_000)])
      expect(createLinks("https://a.example/", [paragraph(text)], "en")(passage(text))).toBe("https://a.example/");
  });

  it("take any language tag", () => {
    expect(createLinks("https://a.example/", page, "not a language")(passage("Short one.", 2))).not.toBeNull();
  });

  it("of a large page are made in bounded time", () => {
    const blocks = Array.from({ length: 20_000 }, (_, at) =>
      paragraph(`Line ${at} of a long page, with many words in it.`),
    );
    const link = createLinks("https://a.example/", blocks, "en");
    const start = performance.now();
    for (let at = 0; at < 8; at += 1) link(passage(blocks[at * 2_000]!.text, at * 2_000));
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe("file names", () => {
  it.each([
    ["Peat", "Peat.md"],
    ['a/b\\c:d*e?f"g<h>i|j', "a b c d e f g h i j.md"],
    ["  ..hidden. ", "hidden.md"],
    ["", "Pith.md"],
    ["...", "Pith.md"],
    ["\u0000\u0007", "Pith.md"],
    ["con", "con page.md"],
    ["NUL.txt", "NUL page.txt.md"],
    ["COM1", "COM1 page.md"],
    ["console", "console.md"],
    ["photo\u202Egnp.exe", "photo gnp.exe.md"],
    ["two\nlines\tand\u2028more", "two lines and more.md"],
    ["--option", "option.md"],
    ["~user", "user.md"],
    ["東京", "東京.md"],
    ["../../etc/passwd", "etc passwd.md"],
  ])("%j is saved as %j", (title, name) => expect(fileName(title, "md")).toBe(name));

  it.each(["x".repeat(1_000_000), "東".repeat(5_000), "👩‍👩‍👧‍👦".repeat(500), "a\u0301".repeat(5_000)])(
    "are bounded, and end with a whole character",
    (title) => {
      const name = fileName(title, "html");
      expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(130);
      expect(name).not.toMatch(/\uFFFD|\u200D\./);
      expect(name).not.toMatch(/\p{Cs}/u);
    },
  );
});

describe("texts", () => {
  it("are one line, without controls and marks that turn directions", () => {
    expect(oneLine(" a\r\n\tb\u2029c \u202Ed\u2066e\u0000 \uD800")).toBe("a b cde".replace("cde", "c de"));
  });
  it("of code keep their lines", () => expect(manyLines("a\r\n\tb\rc\u202E\u0000")).toBe("a\n\tb\nc"));
});

/** What a page may write to break out of an export. */
const HOSTILE = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `</title></style></body>`,
  `' onmouseover='alert(1)`,
  `[click](javascript:alert(1))`,
  `![x](https://evil.example/pixel.png)`,
  "`code` *bold* _under_ ~~gone~~ | cell",
  `# heading`,
  `1. first`,
  `- item`,
  `+ item`,
  `===`,
  `<!-- comment -->`,
  `&lt;b&gt;`,
  "line one\n# line two\r\n\r\n---",
  "\u202Eevil\u2066",
  "N\0UL and \u{E0068}\u{E0069} tags",
];

describe.each(HOSTILE)("the text %j", (text) => {
  const hostile = document({
    title: text,
    address: `https://a.example/${text}`,
    lines: [
      quote(text, "https://a.example/#:~:text=a", text),
      { text, sources: [{ text, code: null, link: null, speaker: text }] },
      { text: "In other words.", sources: [{ text, code: null, link: null, speaker: text, second: 65 }] },
    ],
    questions: [{ id: 1, text, isAnswered: true, lines: [quote(text)] }],
  });

  it("stays text in HTML", () => {
    const html = toHtml(hostile, words);
    const tags = new Set([...html.matchAll(/<\/?([a-z!][\w-]*)/gi)].map(([, name]) => name?.toLowerCase()));
    const own = "!doctype html head meta title style body h1 p a h2 h3 ul li span pre code blockquote b bdi".split(" ");
    expect([...tags].filter((tag) => !own.includes(tag!))).toEqual([]);
    const attributes = new Set([...html.matchAll(/ ([a-z-]+)=["']/g)].map(([, name]) => name));
    expect([...attributes].filter((one) => /^on|^src$|^style$/.test(one!))).toEqual([]);
    expect(html.match(/href="([^"]*)"/g)?.every((one) => one.startsWith('href="https://a.example/'))).toBe(true);
    expect(html).not.toMatch(/[\0\u202A-\u202E\u2066-\u2069]|\uDB40/);
  });

  it("stays one line of text in Markdown", () => {
    const escaped = escapeMarkdown(text);
    expect(escaped).not.toMatch(/\n|(?<!\\)[`*_[\]<>~|$&#]/);
    expect(escaped).not.toMatch(/^(?:[-+=]|\d+[.)])/);
    const markdown = toMarkdown(hostile, words);
    const parsed = markdown
      .replace(/^ +```$[^]*?^ +```$/gm, "")
      .split("\n")
      .filter((line) => !/^<[^<>\s]+>$/.test(line));
    const links = [...parsed.join("\n").matchAll(/(?<!\\)\]\(<?([^)]*)/g)].map(([, to]) => to);
    expect(links.every((to) => to?.startsWith("https://a.example/"))).toBe(true);
    expect(markdown.split("\n").filter((line) => /^#{1,6} /.test(line))).toHaveLength(4);
  });

  it("comes back from JSON as it is seen", () => {
    const left = text.replace(/[\u202E\u2066\0]|\uDB40[\uDC00-\uDC7F]/g, "");
    expect(JSON.parse(toJson(hostile))).toMatchObject({
      format: "pith",
      version: 1,
      title: left,
      lines: [{ text: left }, { sources: [{ speaker: left }] }, { sources: [{ second: 65 }] }],
    });
  });
});

describe("exports", () => {
  it("say of a translated line that it was not compared with the page", () => {
    const translated = document({ lines: [{ ...quote("Torf ist alt."), text: "La tourbe.", translated: true }] });
    for (const write of [toMarkdown, toPlainText, toHtml])
      expect(write(translated, words)).toMatch(/La tourbe\.(?:<[^>]*>| )*\(?translated, not compared/);
    expect(JSON.parse(toJson(translated))).toMatchObject({ lines: [{ text: "La tourbe.", translated: true }] });
  });

  it("have a link to each source, and none where the page is no web page", () => {
    const file = document({ address: "file:///home/me/a.html", lines: [quote("Peat is old.")] });
    for (const write of [toMarkdown, toHtml, toPlainText]) {
      expect(write(document(), words)).toContain("https://bog.example/peat#:~:text=Peat%20is%20old");
      expect(write(file, words)).toContain("file:///home/me/a.html");
      expect(write(file, words)).not.toMatch(/href|\]\(|#:~:/);
    }
  });

  it("quote the sources of a line in other words", () => {
    const link = "https://bog.example/peat#:~:text=Peat";
    const written = {
      text: "Old peat.",
      sources: ["Peat is old.", "It is 9,000 years old."].map((text) => ({ text, code: null, link })),
    };
    const other = document({ writer: "A model", lines: [written], questions: [] });
    expect(isQuote(written)).toBe(false);
    expect(toMarkdown(other, words)).toContain(
      `- Old peat.\n  - “Peat is old.” [Show on the page](<${link}>)\n  - “It is`,
    );
    expect(toPlainText(other, words)).toContain(`- Old peat.\n  “Peat is old.”\n  ${link}\n  “It is`);
    expect(toHtml(other, words)).toContain(">Old peat.</span><blockquote");
  });

  it("name who says it, the time in captions, and the page of a PDF", () => {
    const said = { text: "Peat is old.", code: null, link: null, speaker: "A. *Bog*", second: 65 };
    const printed = { text: "It is wet.", code: null, link: null, pdfPage: 3 };
    const lines = [
      { text: said.text, sources: [said] },
      { text: "Old and wet.", sources: [said, printed] },
    ];
    const other = document({ lines, questions: [] });
    expect(toMarkdown(other, words)).toContain(
      "- A. \\*Bog\\*: Peat is old. (1:05)\n- Old and wet.\n  - A. \\*Bog\\*: “Peat is old.” (1:05)\n  - “It is wet.” (p. 3)",
    );
    expect(toPlainText(other, words)).toContain(
      "- A. *Bog*: Peat is old.\n  1:05\n\n- Old and wet.\n  A. *Bog*: “Peat",
    );
    expect(toPlainText(other, words)).toContain("“It is wet.”\n  p. 3");
    expect(toHtml(other, words)).toContain("<b><bdi>A. *Bog*</bdi>:</b> Peat is old.</span>");
    expect(JSON.parse(toJson(other))).toMatchObject({
      lines: [{ sources: [{ speaker: "A. *Bog*", second: 65 }] }, { sources: [{}, { pdfPage: 3 }] }],
    });
  });

  it("fence code that has fences itself", () => {
    const markdown = toMarkdown(document({ lines: [quote("Run:", null, "```\nrm\n````")] }), words);
    expect(markdown).toContain("\n  `````\n  ```\n  rm\n  ````\n  `````\n");
  });

  it("of a megabyte of text are made in bounded time", { timeout: 60_000 }, () => {
    const text = "<b>&\n_".repeat(175_000);
    const large = document({ lines: [quote(text)] });
    const start = performance.now();
    for (const write of [toMarkdown, toHtml, toPlainText, toJson])
      expect(write(large, words).length).toBeGreaterThan(1_000_000);
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  it("say that nothing answers a question", () => {
    expect(toPlainText(document(), words)).toContain("How old?\n\nThe page does not seem to say.");
  });

  it("can be of the summary or of one answer", () => {
    expect(summaryOnly(document()).questions).toEqual([]);
    expect(questionOnly(document(), 1)).toMatchObject({ lines: [], questions: [{ id: 1 }] });
    expect(questionOnly(document(), 2).questions).toEqual([]);
  });

  it("escape every character that HTML has a use for", () => {
    expect(escapeHtml(`<a href="x" b='y'>&</a>`)).toBe("&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;&lt;/a&gt;");
  });
});

describe("a document", () => {
  const done = <T>(result: T) => ({ phase: "done" as const, result });
  const state = {
    page: { key: "1-2-3 https://bog.example/peat", title: "Peat", language: "en" },
    summary: done({ lines: [passage("Peat is old."), { ...passage("Iron\t1538", 1), headers: ["Metal", "°C"] }] }),
    questions: [
      { id: 1, text: "How old?", job: done({ answered: true, passages: [passage("Peat is old.")] }) },
      { id: 2, text: "Who won?", job: done({ answered: false, passages: [passage("Peat is old.")] }) },
      { id: 3, text: "Still asked", job: { phase: "working" } },
    ],
  } as unknown as TabState;
  const blocks = [paragraph("Peat is old."), { kind: "table" as const, text: "Iron\t1538" }];

  it("has the finished results of a tab", () => {
    const made = documentOf(state, blocks, 5);
    expect(made).toMatchObject({ title: "Peat", address: "https://bog.example/peat", dateMs: 5, writer: null });
    expect(made?.lines.map(({ text }) => text)).toEqual(["Peat is old.", "Metal: Iron · °C: 1538"]);
    expect(made?.lines[0]?.sources[0]?.link).toBe("https://bog.example/peat#:~:text=Peat%20is%20old");
    expect(made?.questions.map(({ id, isAnswered, lines }) => [id, isAnswered, lines.length])).toEqual([
      [1, true, 1],
      [2, false, 0],
    ]);
  });

  it("knows who says a passage, when, and on which page of a PDF", () => {
    const others = [
      {
        id: 7,
        read: {
          key: "1-2-4 https://b.example/",
          page: { title: "B", blocks, language: "en" },
          pageStarts: [
            [0, 0],
            [1, 0],
          ],
        },
      },
    ] as unknown as Parameters<typeof documentOf>[3];
    const asked = {
      ...state,
      summary: done({ lines: [{ ...passage("Peat is old."), speaker: "Ada" }, passage("Iron\t1538", 1)] }),
      page: { ...state.page, times: [[0, 0, 65]] },
      questions: [
        { id: 1, text: "How?", job: done({ answered: true, passages: [{ ...passage("Iron\t1538", 1), page: 7 }] }) },
      ],
    } as unknown as TabState;
    const made = documentOf(asked, blocks, 5, others);
    expect(made?.lines[0]?.sources[0]).toMatchObject({ speaker: "Ada", second: 65 });
    expect(made?.lines[1]?.sources[0]).not.toHaveProperty("speaker");
    expect(made?.questions[0]?.lines[0]?.sources[0]).toMatchObject({ page: { title: "B" }, pdfPage: 2 });
    expect(made?.questions[0]?.lines[0]?.sources[0]).not.toHaveProperty("speaker");
  });

  it("is none without a page", () => {
    expect(documentOf(EMPTY_STATE, [], 0)).toBeNull();
  });
});
