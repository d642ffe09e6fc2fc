// Who wrote which post of a thread, whatever markup tells it, and what of a post is not read.

import type { Page } from "@playwright/test";
import { expect, type Extension, test } from "../../fixtures.ts";
import type { Site } from "../../harness/server.ts";
import { closeRealPanel, markedText, press, summarize, summaryLines } from "../../helpers/panel.ts";
import { readPage } from "../../helpers/sight.ts";

const POSTS = [
  [
    "moss_and_slate",
    "The roof of our chapel leaks where the slates meet the tower, and only when the wind is in the west.",
  ],
  [
    "Hedda Lorentz",
    "West wind drives the rain up under the slates, so the lead apron behind them is too short by a hand.",
  ],
  [
    "gutter.john",
    "Before you buy lead, pour a bucket over the tower itself, because ours leaked through its own joints.",
  ],
] as const;
const TIMES = ["4 March 2021, 09:12", "4 March 2021, 18:40", "6 March 2021, 07:03"];

/** A thread in the markup of one system: `post` makes one post of its author, its text and its time. */
function thread(post: (name: string, text: string, time: string) => string, open = "", close = ""): string {
  return open + POSTS.map(([name, text], at) => post(name, text, TIMES[at] ?? "")).join("") + close;
}

const SYSTEMS: Record<string, string> = {
  "schema.org": thread(
    (name, text, time) =>
      `<div itemscope itemtype="https://schema.org/Comment"><div itemprop="text"><p>${text}</p></div><div><time datetime="2021-03-04">${time}</time>
       <span itemprop="author" itemscope itemtype="https://schema.org/Person"><span itemprop="name">${name}</span></span></div></div>`,
  ),
  microformats: thread(
    (name, text, time) =>
      `<article class="h-entry"><a class="p-author h-card" href="/x">${name}</a> <time class="dt-published">${time}</time><div class="e-content"><p>${text}</p></div></article>`,
  ),
  "cards with the author at the side": thread(
    (name, text, time) =>
      `<div class="post bg1"><dl class="postprofile"><dt><a href="./memberlist.php?mode=viewprofile&u=2" class="username">${name}</a></dt><dd>Posts: 12</dd></dl>
       <div class="postbody"><p class="author">${time}</p><div class="content">${text}</div></div></div>`,
  ),
  "rows of a table": thread(
    (name, text) =>
      `<tr class="athing"><td><div class="comhead"><a href="user?id=x" class="hnuser">${name}</a> <span class="age">3 hours ago</span></div><div class="comment">${text}</div></td></tr>`,
    "<table>",
    "</table>",
  ),
  "no names but a line with the time": thread(
    (name, text, time) => `<div><div><a href="#">${name}</a> · ${time}</div><div><p>${text}</p></div></div>`,
  ),
  "replies in replies": (() => {
    const [one, two, three] = POSTS.map(
      ([name, text]) =>
        `<div class="comment"><p class="tagline"><a href="/user/x" class="author">${name}</a> 2 hours ago</p><div class="md"><p>${text}</p></div>`,
    );
    return `${one}<div class="child">${two}<div class="child">${three}</div></div></div></div></div>`;
  })(),
  "letters in a conversation": thread(
    (name, text, time) =>
      `<div class="adn"><h3><span class="gD" email="x@lock.example">${name}</span></h3><span>${time}</span><div class="a3s"><div dir="ltr">${text}</div></div></div>`,
  ),
};

async function read(site: Site, page: Page, extension: Extension, name: string, body: string) {
  const path = `/threads/${encodeURIComponent(name)}`;
  site.handle(decodeURIComponent(path), (_, response) => {
    response
      .setHeader("content-type", "text/html; charset=utf-8")
      .end(
        `<!doctype html><html lang="en"><title>A leak</title><body><main><h1>A leak</h1>${body}</main></body></html>`,
      );
  });
  await page.goto(site.url(path));
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  const found = await readPage(extension, tab);
  if (typeof found === "string") throw new Error(found);
  return found.blocks
    .map(({ kind, text, speaker = null }) => ({ kind, text, by: speaker }))
    .filter(({ kind }) => kind !== "heading");
}

for (const [name, body] of Object.entries(SYSTEMS)) {
  test(`posts have their authors: ${name}`, async ({ page, site, extension }) => {
    const blocks = await read(site, page, extension, name, body);
    for (const [author, text] of POSTS) {
      expect(blocks.filter((one) => one.text === text).map(({ by }) => by)).toEqual([author]);
    }
  });
}

test("what is quoted is its author's own, and signatures are left out", async ({ page, site, extension }) => {
  const quote = `<blockquote><cite>${POSTS[0][0]} wrote:</cite><p>${POSTS[0][1]}</p></blockquote>`;
  const body = thread((name, text, time) => {
    const quoted = name === POSTS[1][0] ? quote : "";
    return `<div class="post"><div class="head"><b class="username">${name}</b> ${time}</div><div class="body">${quoted}<p>${text}</p></div>
      <div class="signature">Slates, lead and patience since 1974.</div></div>`;
  });
  const blocks = await read(site, page, extension, "quotes", body);
  expect(blocks.map(({ kind, by }) => `${kind} ${by}`)).toEqual([
    `paragraph ${POSTS[0][0]}`,
    `quote ${POSTS[0][0]}`,
    `paragraph ${POSTS[1][0]}`,
    `paragraph ${POSTS[2][0]}`,
  ]);
});

test("a post without an author is nobody's", { tag: "@long-in-firefox" }, async ({ page, site, extension }) => {
  const body = thread((name, text, time) => {
    const author = name === POSTS[1][0] ? "[deleted]" : `<a class="author" href="/user/x">${name}</a>`;
    return `<div class="comment"><p class="tagline">${author} · ${time}</p><div class="md"><p>${text}</p></div></div>`;
  });
  const blocks = await read(site, page, extension, "deleted", body);
  expect(POSTS.map(([, text]) => blocks.find((one) => one.text === text)?.by)).toEqual([
    POSTS[0][0],
    null,
    POSTS[2][0],
  ]);
});

test(
  "a letter of an archive: its author, whom it quotes, and no signature",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension }) => {
    const body = `<ul><li><b>From</b>: Hedda Lorentz &lt;hedda at roofs.example&gt;</li><li><b>Date</b>: Thu, 4 Mar 2021 18:40:11 +0100</li></ul>
    <pre>On Thu, 4 Mar 2021 09:12, Moss Slater wrote:\n&gt; ${POSTS[0][1].replace("slates ", "slates\n&gt; ")}\n\n${POSTS[1][1].replace("slates, ", "slates,\n")}\n\n-- \nHedda Lorentz\nRoofs and towers</pre>`;
    const blocks = await read(site, page, extension, "letter", body);
    expect(blocks).toEqual([
      { kind: "quote", text: POSTS[0][1], by: "Moss Slater" },
      { kind: "paragraph", text: POSTS[1][1], by: "Hedda Lorentz" },
    ]);
  },
);

test(
  "the byline of an article makes nobody a speaker",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension }) => {
    const body = `<article><p class="byline">By <a rel="author" href="/author/x">Hedda Lorentz</a> · 4 March 2021</p>${POSTS.map(([, text]) => `<p>${text}</p>`).join("")}</article>`;
    for (const { by } of await read(site, page, extension, "article", body)) expect(by).toBeNull();
  },
);

test("the panel names who said it, and the sentence alone is marked", async ({ page, site, extension, context }) => {
  await read(site, page, extension, "panel", SYSTEMS["replies in replies"] ?? "");
  const { panel } = await summarize(context, extension, page, { length: "long" });
  const lines = (await summaryLines(panel)).map((line) => line.replaceAll(/\s+/g, " "));
  const all = POSTS.map(([name, text]) => `${name}: ${text}`);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(all).toContain(line);
  await panel.locator("#summary .passage").first().click();
  await expect.poll(() => markedText(page)).toBe(POSTS[all.indexOf(lines[0] ?? "")]?.[1]);
});

test(
  "names on the page that shadow members of the DOM do no harm",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension }) => {
    const names = ["getAttribute", "parentElement", "contains", "querySelector", "closest", "tagName", "className"];
    const inputs = names.map((name) => `<input type="hidden" name="${name}"><img name="${name}" alt="">`).join("");
    const body = thread(
      (name, text, time) =>
        `<form>${inputs}<p class="tagline"><b class="author">${name}</b> ${time}</p><div><p>${text}</p></div></form>`,
    );
    const blocks = await read(site, page, extension, "names", body);
    expect(POSTS.map(([, text]) => blocks.find((one) => one.text === text)?.by)).toEqual(POSTS.map(([name]) => name));
  },
);
