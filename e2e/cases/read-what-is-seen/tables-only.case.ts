// Pages that have no paragraphs are read all the same; lines that only name the page's controls are not.

import { expect, test } from "../../fixtures.ts";
import { closeRealPanel, press } from "../../helpers/panel.ts";
import { readPage } from "../../helpers/sight.ts";

const HARBORS = ["Averby", "Sund", "Kell", "Brede", "Ostwick", "Lune"];
const PAGES = {
  "one table with headers": `<table border="1"><tr><th>Harbor</th><th>Depth</th><th>Berths</th></tr>${HARBORS.map(
    (name, at) => `<tr><td>${name}</td><td>${at + 3} m</td><td>${at * 7 + 11}</td></tr>`,
  ).join("")}</table>`,
  "tables without headers": `<table>${HARBORS.map((name, at) => `<tr><td>${name}</td><td>${at + 3}</td></tr>`).join("")}</table>`,
  "a table of names that are links": `<table><tr><th>Harbor</th><th>Depth</th></tr>${HARBORS.map(
    (name, at) => `<tr><td><a href="#${name}">${name}</a></td><td>${at + 3} m</td></tr>`,
  ).join("")}</table>`,
  "cells of one row": `<table><tr>${HARBORS.map((name, at) => `<td>${name} ${at + 3} m</td>`).join("")}</tr></table>`,
};

for (const [name, markup] of Object.entries(PAGES)) {
  test(`a page of ${name} is read`, async ({ page, site, extension }) => {
    site.handle("/tables", (_, response) => {
      response
        .setHeader("content-type", "text/html; charset=utf-8")
        .end(`<!doctype html><html lang="en"><title>Harbors</title><body>${markup}</body></html>`);
    });
    await page.goto(site.url("/tables"));
    const tab = await press(extension, page);
    await closeRealPanel(extension, tab);
    const found = await readPage(extension, tab);
    if (typeof found === "string") throw new Error(found);
    const text = found.blocks.map(({ text }) => text).join("\n");
    for (const harbor of HARBORS) expect(text).toContain(harbor);
  });
}
