// Words that a style puts before and after a text are read with it, or the text with them is not.

import { expect, test } from "../../fixtures.ts";
import { closeRealPanel, press } from "../../helpers/panel.ts";
import { AFTER, BEFORE, readAll } from "../../helpers/sight.ts";

const TEXT = "The furnace of the old works was lit again on the first of March.";

/** The markup of a page, and what is read of it; null where the text with such words is not. */
const PAGES: readonly (readonly [string, string | null])[] = [
  [
    `<style>.a::before { content: "Nobody believes that " }</style><p class="a">${TEXT}</p>`,
    `Nobody believes that ${TEXT}`,
  ],
  [`<style>.b::after { content: " This is a joke." }</style><p class="b">${TEXT}</p>`, `${TEXT} This is a joke.`],
  [
    `<style>.c::after { content: " not" }</style><p>The furnace was<span class="c"></span> lit on the first of March this year.</p>`,
    "The furnace was not lit on the first of March this year.",
  ],
  [
    `<style>.d::before { content: attr(data-told) " " }</style><p class="d" data-told="It is untrue that">${TEXT}</p>`,
    `It is untrue that ${TEXT}`,
  ],
  [`<style>.e::before { content: "» " } .e::after { content: "" }</style><p class="e">${TEXT}</p>`, TEXT],
  [`<style>.f::before { content: "Nobody says that "; display: none }</style><p class="f">${TEXT}</p>`, TEXT],
  [`<style>.g::before { content: "Nobody says that "; opacity: 0 }</style><p class="g">${TEXT}</p>`, TEXT],
  [`<style>.h::before { content: "Nobody says that "; color: #fff }</style><p class="h">${TEXT}</p>`, TEXT],
  [`<style>.i::before { content: "Nobody says that "; font-size: 0 }</style><p class="i">${TEXT}</p>`, TEXT],
  [`<style>.j::before { content: "Nobody says that "; filter: blur(0px) }</style><p class="j">${TEXT}</p>`, null],
  [
    `<style>@counter-style told { system: cyclic; symbols: "Nobody believes that"; suffix: " " } .k::before { content: counter(x, told) }</style><p class="k">${TEXT}</p>`,
    null,
  ],
  [`<ul style="list-style: 'Untrue: '"><li>${TEXT}</li></ul>`, `Untrue: ${TEXT}`],
  [`<style>.l::marker { content: "Untrue: " }</style><ul><li class="l">${TEXT}</li></ul>`, `Untrue: ${TEXT}`],
];

test("words of the style: read where they are seen, never half", async ({ page, site, extension, browserName }) => {
  test.skip(browserName === "firefox", "Firefox permits one document for each press of the button");
  await page.goto(site.url("/article/"));
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  const wrong: string[] = [];
  for (const [number, [html, expected]] of PAGES.entries()) {
    const path = `/generated/${number}`;
    site.handle(path, (_, response) => {
      response
        .setHeader("content-type", "text/html; charset=utf-8")
        .end(
          `<!doctype html><html lang="en"><title>Glass</title><main><p>${BEFORE}</p>${html}<p>${AFTER}</p></main></html>`,
        );
    });
    await page.goto(site.url(path));
    const read = (await readAll(extension, tab)).split("\n").filter((line) => line !== BEFORE && line !== AFTER);
    const isRight = expected === null ? read.length === 0 : read.join(" ").replace(/\s+/g, " ") === expected;
    if (!isRight) wrong.push(`${number}: ${JSON.stringify(read)}`);
  }
  expect(wrong).toEqual([]);
});
