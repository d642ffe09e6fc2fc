// Comments under an article are read apart from it: they can be asked, and the summary's lines are the article's.

import { expect, test } from "../../fixtures.ts";
import { readBody } from "../../helpers/read-body.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

const ARTICLE = [
  "The ferry across the narrow sound will stop in October, because the council has found no one who wants to run it for the money that is left.",
  "For ninety years it has carried farmers, schoolchildren and, in the last summers, more bicycles than people, which the old deck was never built for.",
  "The skipper, who is sixty-eight, says that he would go on for two more winters if somebody paid for a new engine and for a second pair of hands.",
  "In the ticket office, which is also the waiting room and the library, the last timetable hangs beside the first one, and both have the same price.",
  "Those who want to say goodbye can cross for nothing on the last Sunday of September, when the choir of the village will sing on the upper deck.",
  "What becomes of the boat is not known yet, though the museum has asked for the wheel, the bell and the bench on which everybody once sat.",
  "Until a bridge is built, the way around takes fifty minutes by car, and the bus that the council promises will leave the village twice a day.",
];
const COMMENTS = [
  ["Marit Holm", "I took this ferry to school for nine years, and the skipper waited whenever one of us was late."],
  ["saltmarsh", "A bridge would cost forty times what the engine costs, so I cannot see who gains from this."],
  ["Per Aune", "The bus is a promise, the ferry is there, and anybody who lives here knows the difference."],
] as const;

/** An article with comments, in the markup of one system: `one` makes a comment of its author and its text. */
const said = (one: (name: string, text: string) => string, open = "", close = ""): string =>
  open + COMMENTS.map(([name, text]) => one(name, text)).join("") + close;
const paragraphs = (texts: readonly string[]): string => texts.map((text) => `<p>${text}</p>`).join("");

const FORMS: Record<string, string> = {
  "a list that is named so": said(
    (name, text) =>
      `<li class="comment even"><article class="comment-body"><footer><b class="fn">${name}</b> <time>4 March 2021</time></footer><div class="comment-content"><p>${text}</p></div><div class="reply"><a href="#r">Reply</a></div></article></li>`,
    `<div id="comments" class="comments-area"><ol class="commentlist">`,
    "</ol></div>",
  ),
  "a heading, in another language": said(
    (name, text) => `<div><div><a href="/u/1">${name}</a> · 4 March 2021</div><p>${text}</p></div>`,
    "<h2>Kommentare (3)</h2>",
  ),
  "elements of its own": said(
    (name, text) =>
      `<x-comment><span class="author">${name}</span> <time>2 hours ago</time><div>${text}</div></x-comment>`,
    "<x-comments>",
    "</x-comments>",
  ),
  "an attribute for tests": said(
    (name, text) => `<div><a class="user" href="/u/1">${name}</a> <time>2 hours ago</time><p>${text}</p></div>`,
    `<section data-testid="comments-list">`,
    "</section>",
  ),
};

for (const [name, comments] of Object.entries(FORMS)) {
  test(`comments are no part of the article: ${name}`, async ({ page, site, extension }) => {
    const body = `<main><article><h1>The last ferry</h1>${paragraphs(ARTICLE)}</article>${comments}</main>`;
    const path = `/articles/${encodeURIComponent(name)}`;
    const { blocks } = await readBody(site, page, extension, decodeURIComponent(path), "The last ferry", body);
    const texts = (isComment: boolean) => blocks.filter(({ kind }) => (kind === "comment") === isComment);
    expect(texts(false).map(({ text }) => text)).toEqual(["The last ferry", ...ARTICLE]);
    expect(texts(true).map(({ text, speaker }) => [speaker, text])).toEqual(COMMENTS);
  });
}

test("an article in loose lines is not lost to its comments", async ({ page, site, extension }) => {
  const lines = ARTICLE.map((line) => line.replace(/\.$/, ""));
  const loose = lines.map((line) => `<p style="text-align:center">${line}</p>`).join("");
  const body = `<div class="post"><h2><a href="?">The last ferry</a></h2>${loose}</div>${FORMS["a list that is named so"]}`;
  const { blocks } = await readBody(site, page, extension, "/articles/loose", "The last ferry", body);
  const read = blocks.filter(({ kind }) => kind !== "comment").map(({ text }) => text);
  for (const line of lines) expect(read).toContain(line);
  for (const [, text] of COMMENTS) expect(read).not.toContain(text);
});

test("what is nothing but comments is read as what it is", async ({ page, site, extension }) => {
  const body = `<main><h1>Is the ferry worth it?</h1>${FORMS["a list that is named so"]}</main>`;
  const { blocks } = await readBody(site, page, extension, "/articles/thread", "Is the ferry worth it?", body);
  expect(blocks.map(({ kind }) => kind)).not.toContain("comment");
  for (const [, text] of COMMENTS) expect(blocks.map((one) => one.text)).toContain(text);
});

test("reviews of a product are its page's text", async ({ page, site, extension }) => {
  const reviews = said(
    (name, text) => `<li class="review"><b class="author">${name}</b> <time>4 March 2021</time><p>${text}</p></li>`,
    `<div id="reviews"><h2>Reviews</h2><ol class="commentlist">`,
    "</ol></div>",
  );
  const body = `<main><h1>A model of the ferry</h1>${paragraphs(ARTICLE)}${reviews}</main>`;
  const { blocks } = await readBody(site, page, extension, "/articles/reviews", "A model of the ferry", body);
  expect(blocks.map(({ kind }) => kind)).not.toContain("comment");
  for (const [, text] of COMMENTS) expect(blocks.map((one) => one.text)).toContain(text);
});

test("the lines are the article's, and one more says what the comments are about", async ({
  context,
  page,
  site,
  extension,
}) => {
  const body = `<main><article><h1>The last ferry</h1>${paragraphs(ARTICLE)}</article>${FORMS["a list that is named so"]}</main>`;
  await readBody(site, page, extension, "/articles/panel", "The last ferry", body);
  const { panel } = await summarize(context, extension, page);
  for (const line of await summaryLines(panel)) expect(ARTICLE.join(" ")).toContain(line.replace(/…$/, ""));
  await expect(panel.getByText("Comments under the article: 3, mostly about:")).toBeVisible();
});
