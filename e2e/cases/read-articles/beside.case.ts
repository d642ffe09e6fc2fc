// What stands beside an article and is about other things: streams of teasers, live feeds, slides, credits of pictures.

import type { Page } from "@playwright/test";
import { expect, type Extension, test } from "../../fixtures.ts";
import type { Site } from "../../harness/server.ts";
import { readBody, readServed } from "../../helpers/read-body.ts";

const ARTICLE = [
  "The observatory on the hill will open its large telescope to visitors on the first clear Friday of each month, beginning in November.",
  "Its mirror was ground in 1911 by two brothers who had never made one before, and it took them, with interruptions, eleven winters.",
  "Last year the mirror was taken out, cleaned and covered with a new layer of aluminium, which is thinner than a hundredth of a hair.",
  "Visitors are asked to come without torches, to dress for a night outside, and to bring children who can wait for a quarter of an hour.",
  "Those who cannot climb the stairs can follow what the telescope sees on a screen in the old library, where there is also tea.",
  "The society that looks after the building hopes to pay for a new dome from what the evenings bring in, which may take some years.",
];
const OTHERS = [
  [
    "Bakers ask for cheaper night power",
    "The bakers of the old town say that their ovens cost them twice as much as two years ago, and that some will close.",
  ],
  [
    "A swan stops the morning trains",
    "For an hour no train could leave the northern station, because a swan had chosen the signal box, and would not move.",
  ],
  [
    "Orchestra plays in the swimming hall",
    "The concert hall is being repaired until spring, and so the orchestra plays where the echo is, between two pools.",
  ],
  [
    "River to be dredged before winter",
    "Two barges will work between the bridges from Monday, and people who live there have been told to expect some noise.",
  ],
] as const;
const paragraphs = ARTICLE.map((text) => `<p>${text}</p>`).join("");
const article = `<article><h1>Open nights at the observatory</h1>${paragraphs}</article>`;
const each = (one: (title: string, text: string, at: number) => string): string =>
  OTHERS.map(([title, text], at) => one(title, text, at)).join("");

const BESIDE: Record<string, string> = {
  "a list of teasers": `<ul>${each((title, text) => `<li><span>City</span><h3><a href="/n/1">${title}</a></h3><p>${text}</p></li>`)}</ul>`,
  "teasers as articles": `<div>${each((title, text) => `<article><h2><a href="/n/1">${title}</a></h2><div>Daily Press</div><p>${text}</p></article>`)}</div>`,
  "teasers as boxes": `<div>${each((title, text) => `<div><div><h4><a href="/n/1">${title}</a></h4></div><div>${text}</div></div>`)}</div>`,
  "a live feed aside": `<aside><p>Live</p><ul>${each((title, text, at) => `<li><a href="/n/1">14:0${at} ${title}</a><p>${text} ${text}</p></li>`)}</ul></aside>`,
  "a feed that is complementary": `<div role="complementary">${each((title, text, at) => `<div><b>14:0${at}</b> <a href="/n/1">${title}</a><p>${text} ${text}</p></div>`)}</div>`,
  "slides in a list": `<div><h2>The week in pictures</h2><ul>${each((title, text, at) => `<li><h3>${at + 1}/4 ${title}</h3><p>${text}</p></li>`)}</ul></div>`,
  "slides in boxes": `<div>${each((title, text, at) => `<div><h4>${at + 1} / 4</h4><p>${text}</p></div>`)}</div>`,
};

const textsOf = async (site: Site, page: Page, extension: Extension, name: string, body: string): Promise<string[]> => {
  const { blocks } = await readBody(site, page, extension, `/beside/${name}`, "Open nights at the observatory", body);
  return blocks.map(({ text }) => text);
};

for (const [name, beside] of Object.entries(BESIDE)) {
  for (const [place, body] of Object.entries({ before: beside + article, behind: article + beside })) {
    test(`other things are left out: ${name}, ${place} the article`, async ({ page, site, extension }) => {
      const texts = await textsOf(site, page, extension, `${name} ${place}`.replaceAll(" ", "-"), body);
      for (const text of ARTICLE) expect(texts).toContain(text);
      for (const [, text] of OTHERS) expect(texts.join("\n")).not.toContain(text);
    });
  }
}

test("a page that lists others is read with their titles", async ({ page, site, extension }) => {
  const texts = await textsOf(
    site,
    page,
    extension,
    "index",
    `<h1>News of the town</h1>${BESIDE["teasers as articles"]}`,
  );
  for (const [title, text] of OTHERS) expect(texts).toEqual(expect.arrayContaining([title, text]));
});

for (const [name, head] of Object.entries({
  canonical: `<link rel="canonical" href="https://stars.example/open-nights/">`,
  "open graph": `<meta property="og:url" content="http://stars.example/open-nights">`,
  "its own": "",
})) {
  test(`a title that leads to the page itself heads its text: ${name}`, async ({ page, site, extension }) => {
    const link = head ? "https://stars.example/open-nights" : "?";
    const lines = ARTICLE.flatMap((text) => text.split(", "));
    const body = `<div><h2><a href="${link}">Open nights at the observatory</a></h2>${lines.map((line) => `<p>${line}</p>`).join("")}</div>`;
    const html = `<!doctype html><html lang="en"><title>Hill diary</title>${head}<body>${body}</body></html>`;
    const { blocks } = await readServed(site, page, extension, `/beside/title-${name.replaceAll(" ", "-")}`, html);
    const texts = blocks.map(({ text }) => text);
    for (const line of lines) expect(texts).toContain(line);
  });
}

test("what leads elsewhere ends with its box", async ({ page, site, extension }) => {
  const box = `<div><h3>Read more</h3><ul><li><a href="/a">A night with no moon</a></li><li><a href="/b">Dust on old mirrors</a></li></ul></div>`;
  const half = ARTICLE.map((text) => `<h4>${text.split(" ").slice(0, 3).join(" ")}</h4><p>${text}</p>`);
  const body = `<h1>Open nights at the observatory</h1>${half.slice(0, 3).join("")}${box}${half.slice(3).join("")}`;
  const texts = await textsOf(site, page, extension, "box", body);
  for (const text of ARTICLE) expect(texts).toContain(text);
  for (const text of ARTICLE) expect(texts).toContain(text.split(" ").slice(0, 3).join(" "));
});

test("credits of pictures are left out, captions are read", async ({ page, site, extension }) => {
  const credits = [
    "Photo",
    "Credit: Ada Krohn",
    "Ada Krohn/Reuters",
    "Photograph: Ada Krohn for The Hill Diary",
    "GETTY IMAGES",
    "写真：山田花子",
  ];
  const caption = "The mirror on its way down the stairs, carried by six people.";
  const figures = credits
    .map((credit) => `<li><figure><div>Image</div><figcaption>${credit}</figcaption></figure></li>`)
    .join("");
  const pictured = article.replace("<p>", `<figure><figcaption>${caption}</figcaption></figure><p>`);
  const body = `${pictured}<ul>${figures}</ul>`;
  const texts = await textsOf(site, page, extension, "credits", body);
  expect(texts).toContain(caption);
  for (const credit of credits) expect(texts).not.toContain(credit);
});
