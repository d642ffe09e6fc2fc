// What looks like the page's text and is not: menus, further articles, what the site sells; and what is left out too easily.

import { expect, test } from "../../fixtures.ts";
import { readBody, readServed } from "../../helpers/read-body.ts";

const LEAD = "The lock of Averby lifts boats of up to forty tonnes, and takes eleven minutes from gate to gate.";
const LAST = "In winter it stays shut, and the keeper paints the gates, the beams and the rails along the wall.";
const OTHER = "Cheese from the dairy won a silver medal, and the judges praised its rind, which is washed in cider.";

test("a menu above the title of a short page is not read in place of it", async ({ page, site, extension }) => {
  const entries = ["Moorings", "Pilots", "Ferries", "Fish market", "Museum", "Council"].flatMap((name) =>
    ["overview", "for visitors", "prices and tickets"].map(
      (of) => `<li><a href="/${name}/${of}">${name} ${of}</a></li>`,
    ),
  );
  const text = "Berths are let by the day. Call channel 12 before you enter.";
  const body = `<div><ul>${entries.join("")}</ul></div><div><h1>Moorings</h1><p>${text}</p></div>`;
  const { blocks } = await readBody(site, page, extension, "/menu", "Moorings", body);
  expect(blocks.map((block) => block.text)).toEqual(["Moorings", text]);
});

test("of several articles the one is read that the page is named after", async ({ page, site, extension }) => {
  const article = (tag: string, title: string, ...texts: string[]): string =>
    `<${tag} class="post"><h1>${title}</h1>${texts.map((one) => `<p>${one}</p>`).join("")}</${tag}>`;
  const two = (tag: string): string =>
    article(tag, "Silver for cheese", OTHER) + article(tag, "Locks of the north", LEAD, LAST);
  for (const tag of ["article", "div"]) {
    const title = "Locks of the north | Gazette";
    const { blocks } = await readBody(site, page, extension, `/several/${tag}`, title, `<main>${two(tag)}</main>`);
    expect(blocks.map(({ text }) => text)).toEqual(["Locks of the north", LEAD, LAST]);
  }
  const blog = await readBody(
    site,
    page,
    extension,
    "/several/blog",
    "The keeper's blog",
    `<main>${two("article")}</main>`,
  );
  expect(blog.blocks.map(({ text }) => text)).toEqual(["Silver for cheese", OTHER, "Locks of the north", LEAD, LAST]);
});

test("what a subscription offers is no text; when an office is open is", async ({ page, site, extension }) => {
  const body = `<main><h1>Locks</h1><p>${LEAD}</p><p>${LAST}</p>
    <p>Tel. 01632 960 115<br>Mon–Fri 8.30 a.m. to 5 p.m.</p><p>Posted on Fri 6 March 2026</p>
    <div><h2>Keep reading with a subscription</h2><ul><li>Unlimited access to every story</li><li>Cancel at any time</li><li>One year for £40</li></ul></div></main>`;
  const { blocks } = await readBody(site, page, extension, "/offer", "Locks", body);
  expect(blocks.map(({ text }) => text)).toEqual([
    "Locks",
    LEAD,
    LAST,
    "Tel. 01632 960 115 Mon–Fri 8.30 a.m. to 5 p.m.",
  ]);
});

test("the name of the site in the first heading is no title", async ({ page, site, extension }) => {
  const html = `<!doctype html><html lang="en"><title>Council votes for a lock | Averby Gazette</title><body>
    <div class="logo"><h1>Averby Gazette</h1></div><div><div>Council votes for a lock</div><p>${LEAD}</p><p>${LAST}</p></div></body></html>`;
  const { tab } = await readServed(site, page, extension, "/site-name", html);
  const title = await extension.evaluate<string>(
    "background.js",
    `chrome.scripting.executeScript({ target: { tabId: ${tab} }, func: async () => (await pithPage.picture()).metadata.title })
      .then(([{ result }]) => result)`,
  );
  expect(title).toBe("Council votes for a lock");
});
