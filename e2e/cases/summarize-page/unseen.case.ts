// Characters that nobody sees, on pages and in what is stored: none of them reaches the screen or the clipboard.

import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import { choose, summarize, summaryLines } from "../../helpers/panel.ts";

const cases = JSON.parse(readFileSync(resolve(ROOT, "engine/tests/digest/seen.json"), "utf8")) as {
  never: [number, number][];
  guests: [number, number][];
};

/** Every character of the list once, by groups that a page can carry. Surrogates and NUL no page can. */
const UNSEEN = [...cases.never, ...cases.guests]
  .flatMap(([from, to]) => Array.from({ length: Math.min(to - from + 1, 40) }, (_, at) => from + at))
  // HTML takes those for characters of Windows.
  .filter((code) => (code > 0x1f && code < 0x7f) || code > 0x9f || code === 0x1b)
  .filter((code) => (code & 0xfffe) !== 0xfffe)
  .map((code) => `&#${code};`);

/** A text with such characters between its letters. */
let turn = 0;
const laced = (text: string): string => text.replace(/(?<=[a-z])(?=[a-z])/g, () => UNSEEN[turn++ % UNSEEN.length]!);

const PROSE = [
  "The lighthouse on the point was built in 1867 by an engineer from Leith.",
  "Three keepers lived in its tower in turns of six weeks, and rowed to the village on Sundays.",
  "Its lamp burned oil until the year 1923, when a cable was laid across the sound.",
  "The harbour below it is the only one on the coast that does not freeze in winter.",
  "Since 1974 the light works by itself, and the rooms of the keepers are a museum.",
];

/** What of a document's texts and attributes nobody sees. */
const unseenOn = (page: Page): Promise<string[]> =>
  page.evaluate((listed) => {
    const isListed = (char: string): boolean =>
      listed.some(([from, to]) => char.codePointAt(0)! >= from && char.codePointAt(0)! <= to) &&
      !/[\u2068\u2069\n\t]/.test(char);
    const texts = [document.title];
    for (const element of document.querySelectorAll("body *:not(script):not(style)")) {
      for (const { value } of element.attributes) texts.push(value);
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.push(node.nodeValue ?? "");
    }
    return texts.filter((text) => [...text].some(isListed)).map((text) => JSON.stringify(text));
  }, cases.never);

test("of a page full of characters that nobody sees, the panel shows what is seen", async ({
  page,
  site,
  extension,
  context,
}) => {
  const body = PROSE.map((one, at) => `<h2>${laced(`Part number ${at}`)}</h2><p>${laced(one)}</p>`).join("");
  const title = `${laced("The light")} &#x202E;7681`;
  site.handle(
    "/unseen",
    (_, response) =>
      void response
        .setHeader("content-type", "text/html; charset=utf-8")
        .end(
          `<!doctype html><html lang="en"><title>${title}</title><article><h1>${title}</h1>${body}</article></html>`,
        ),
  );
  await page.goto(site.url("/unseen"));
  const { panel } = await summarize(context, extension, page);
  for (const line of await summaryLines(panel)) expect(PROSE.join(" ")).toContain(line);
  await expect(panel.locator("#page-title")).toHaveText("The light 7681");
  expect(await unseenOn(panel)).toEqual([]);
});

test("names of models that turn the text around them are names like others", async ({ page, extension }) => {
  const title = `Model\u202Efugg.exe ${"long ".repeat(30)}`;
  await choose(extension);
  const roles = { writer: { type: "local", name: "turned.gguf", title, source: null }, encoder: null };
  await extension.evaluate("background.js", `chrome.storage.local.set(${JSON.stringify({ roles })})`);
  await page.goto(extension.url("pages/models/index.html"));
  await expect(page.locator("#writer")).toContainText("Modelfugg.exe long");
  expect(await unseenOn(page)).toEqual([]);
  await extension.evaluate("background.js", `chrome.storage.local.remove("roles")`);
});
