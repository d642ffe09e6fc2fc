// What becomes of the parts of a page: paragraphs without tags of their own, tables, frames, code, lines about the text.

import type { Page } from "@playwright/test";
import { expect, type Extension, test } from "../../fixtures.ts";
import type { Site } from "../../harness/server.ts";
import { readBody } from "../../helpers/read-body.ts";

const FACTS = [
  "The lock of Averby lifts boats of up to forty tonnes, and takes eleven minutes from gate to gate.",
  "Its gates are of oak, because the steel ones of 1931 rusted faster than anybody could paint them.",
  "In dry summers the keeper lets only four boats through in an hour, so that the canal keeps its water.",
  "A bell on the upper gate tells the mill that the race will run low for the time of one filling.",
];
const paragraphs = (open: string, close: string): string => FACTS.map((fact) => `${open}${fact}${close}`).join("");

const read = (site: Site, page: Page, extension: Extension, name: string, body: string) =>
  readBody(site, page, extension, `/blocks/${name}`, "The lock of Averby", body);

test("paragraphs are read whatever element holds them, and tables of links are not", async ({
  page,
  site,
  extension,
}) => {
  const links = (direction: string): string =>
    `<table width="100%" summary="Navigation ${direction}"><tr><td><a href="#p">Prev</a></td><td><a href="#u">Up</a></td>
     <td><a href="#n">Next</a></td></tr><tr><td><a href="#1">Chapter 3. Weirs</a></td><td></td><td><a href="#2">Chapter 5. Mills</a></td></tr></table>`;
  const chapter = `<div class="chapter"><h1>Chapter 4. Locks</h1>${paragraphs('<div class="para">', "</div>")}</div>`;
  const { blocks, coverage } = await read(
    site,
    page,
    extension,
    "chapter",
    links("header") + chapter + links("footer"),
  );
  expect(blocks.map(({ text }) => text)).toEqual(["Chapter 4. Locks", ...FACTS]);
  expect(coverage.leftOut).toEqual([expect.objectContaining({ kind: "linkTables", count: 2 })]);
  expect(coverage.leftOut[0]?.texts.join(" ")).toContain("Chapter 5. Mills");
  const left = coverage.leftOut.reduce((sum, { words }) => sum + words, 0);
  expect(coverage.wordsRead + left).toBe(coverage.wordsVisible);
});

test("a heading over the title is read with it, also where a button stands between", async ({
  page,
  site,
  extension,
}) => {
  const head = `<h3>Canals of the north</h3><button>Follow</button><h1>The lock of Averby</h1>`;
  const { blocks } = await read(site, page, extension, "kicker", `<main>${head}${paragraphs("<p>", "</p>")}</main>`);
  expect(blocks.map(({ text }) => text)).toEqual(["Canals of the north", "The lock of Averby", ...FACTS]);
});

test("margins between links and words part them", async ({ page, site, extension }) => {
  const nav = ["Home", "Locks", "Archive"]
    .map((name) => `<a href="#" style="margin-inline-end: 1rem">${name}</a>`)
    .join("");
  const by = `<p><span style="margin-right: .5em">Ada Wray</span><span>3 May, at the upper gate.</span> ${FACTS[0]}</p>`;
  // A large initial is no word of its own.
  const initial = `<p><b style="font-size: 4em; margin-right: .05em">T</b>he keeper writes it all down.</p>`;
  const body = `<nav>${nav}</nav><h1>Locks</h1>${by}${initial}${paragraphs("<p>", "</p>")}`;
  const { blocks, coverage } = await read(site, page, extension, "apart", body);
  const texts = blocks.map(({ text }) => text);
  expect(texts.some((text) => text.startsWith("Ada Wray 3 May, at"))).toBe(true);
  expect(texts).toContain("The keeper writes it all down.");
  expect(coverage.leftOut.flatMap(({ texts }) => texts)).toContain("Home Locks Archive");
});

test(
  "a row of a table is a block, with the headers of its cells",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension }) => {
    const table = `<table><caption>Locks of the canal</caption>
    <thead><tr><th rowspan="2">Lock</th><th colspan="2">Chamber</th><th rowspan="2">Keeper</th></tr><tr><th>Length</th><th>Rise</th></tr></thead>
    <tbody><tr><th>Averby</th><td>31  m</td><td>4.2 m</td><td rowspan="2">Ottilie Brandt</td></tr>
    <tr><th>Sund</th><td>28 m</td><td></td></tr></tbody></table>
    <table><tr><th>Warranty</th><td>5 years</td></tr><tr><th>Made in</th><td>Slovenia</td></tr></table>`;
    const { blocks } = await read(
      site,
      page,
      extension,
      "table",
      `<main><h1>Locks</h1>${paragraphs("<p>", "</p>")}${table}</main>`,
    );
    expect(blocks.filter(({ kind }) => kind === "caption").map(({ text }) => text)).toEqual(["Locks of the canal"]);
    expect(blocks.filter(({ kind }) => kind === "table")).toEqual([
      { kind: "table", text: "Lock\tChamber\tKeeper" },
      { kind: "table", text: "Length\tRise" },
      {
        kind: "table",
        text: "Averby\t31 m\t4.2 m\tOttilie Brandt",
        headers: ["Lock", "Chamber Length", "Chamber Rise", "Keeper"],
      },
      {
        kind: "table",
        text: "Sund\t28 m\t\tOttilie Brandt",
        headers: ["Lock", "Chamber Length", "Chamber Rise", "Keeper"],
      },
      { kind: "table", text: "Warranty\t5 years" },
      { kind: "table", text: "Made in\tSlovenia" },
    ]);
  },
);

test(
  "a table that only places texts is read as its texts",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension }) => {
    const menu = `<td width="20%"><a href="#a">Boats</a><br><a href="#b">Weirs</a><br><a href="#c">Mills</a></td>`;
    const table = `<table width="100%"><tr>${menu}<td><h1>Locks</h1>${paragraphs("", "<br><br>")}</td></tr></table>`;
    const { blocks } = await read(site, page, extension, "layout", table);
    expect(blocks.map(({ text }) => text)).toEqual(["Locks", ...FACTS]);
  },
);

test("frames of the site and shadow roots are read in place, and nothing hidden in them", async ({
  page,
  site,
  extension,
}) => {
  const hidden = "The secret of the furnace must not be read by anybody who reads about the lock of Averby.";
  const inner = `<h2>Hours</h2><p>The lock opens at six in the morning, and closes when the keeper has fed the geese.</p>
    <p style='opacity:0'>${hidden}</p><p style='color:#fff'>${hidden}</p><p style='position:absolute;left:-9999px'>${hidden}</p>
    <div style='height:0;overflow:hidden'>${hidden}</div>
    <p style='margin-top:900px'>In winter it opens at eight, and boats wait at the wall below the mill until then.</p>`;
  const frame = (attributes: string, text: string): string =>
    `<iframe ${attributes} srcdoc="<!doctype html>${text}"></iframe>`;
  const shadow = `<lock-note><template shadowrootmode="open"><p>In a shadow root, the keeper noted every boat with its name and its load.</p></template></lock-note>`;
  const body = `<main><h1>Locks</h1><p>${FACTS[0]}</p>${frame('width="600" height="150"', inner)}<p>${FACTS[1]}</p>${shadow}
    ${frame('width="0" height="0"', `<p>${hidden}</p>`)}${frame('style="display: none"', `<p>${hidden}</p>`)}
    ${frame('style="opacity: 0"', `<p>${hidden}</p>`)}</main>`;
  const { blocks, coverage } = await read(site, page, extension, "frames", body);
  expect(blocks.map(({ text }) => text)).toEqual([
    "Locks",
    FACTS[0],
    "Hours",
    "The lock opens at six in the morning, and closes when the keeper has fed the geese.",
    "In winter it opens at eight, and boats wait at the wall below the mill until then.",
    FACTS[1],
    "In a shadow root, the keeper noted every boat with its name and its load.",
  ]);
  expect(JSON.stringify(coverage)).not.toContain("secret");
});

test(
  "short code stays with the sentence that leads to it",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension }) => {
    const body = `<main><h1>Locks</h1>${paragraphs("<p>", "</p>")}<p>To open the upper gate, use</p><pre>lockctl gate open --upper</pre>
    <p>To see how high the water stands:</p><pre>lockctl level</pre><p>The gauge is read once a minute.</p><pre>level 4.2</pre></main>`;
    const { blocks } = await read(site, page, extension, "code", body);
    expect(blocks.slice(-4)).toEqual([
      { kind: "paragraph", text: "To open the upper gate, use lockctl gate open --upper" },
      { kind: "paragraph", text: "To see how high the water stands: lockctl level" },
      { kind: "paragraph", text: "The gauge is read once a minute." },
      { kind: "code", text: "level 4.2" },
    ]);
  },
);

test("lines about the text are not read as text", { tag: "@long-in-firefox" }, async ({ page, site, extension }) => {
  const about = [
    "By Ottilie Brandt",
    "Published on 4 March 2026 at 10:15",
    "3 hours ago",
    "Related: How a weir is built",
    "#locks #canals",
    "Jump to recipe",
    "brandt42 wrote:",
    "12 comments",
  ];
  const body = `<main><h1>Locks</h1>${about.map((line) => `<p>${line}</p>`).join("")}${paragraphs("<p>", "</p>")}</main>`;
  const { blocks, coverage } = await read(site, page, extension, "lines", body);
  expect(blocks.map(({ text }) => text)).toEqual(["Locks", ...FACTS]);
  expect(coverage.leftOut.flatMap(({ texts }) => texts).sort()).toEqual(about.toSorted());
});

test(
  "navigation, banners, sidebars, forms and footers are left out by kind; a thread of comments is text",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension }) => {
    const links = (...names: string[]): string => names.map((name) => `<a href="#${name}">${name}</a>`).join(" ");
    const post = (fact: string): string =>
      `<div class="comment"><div class="user"><a href="#u">keeper_9</a></div><p>${fact}</p><button>Reply</button></div>`;
    const body = `<nav>${links("Boats", "Weirs", "Mills")}</nav>
    <div class="cookie-banner"><p>We use cookies to improve your visit. By staying you agree to this.</p><button>Accept</button></div>
    <div class="thread"><h1>How fast is the lock of Averby?</h1>${FACTS.map(post).join("")}</div>
    <form><label>Your comment <input></label><p>Log in to leave a comment.</p><button>Send</button></form>
    <aside><h2>Popular</h2><ul><li>${links("Ten weirs")}</li><li>${links("Five mills")}</li></ul></aside>
    <footer>${links("Imprint", "Privacy")} Canal Society of Averby</footer>`;
    const { blocks, coverage } = await read(site, page, extension, "thread", body);
    expect(blocks.map(({ text }) => text)).toEqual(["How fast is the lock of Averby?", ...FACTS]);
    const kinds = coverage.leftOut.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["navigation", "notice", "form", "controls", "footer"]));
  },
);
