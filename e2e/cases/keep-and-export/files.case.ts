// Each kind of file, saved and read back.

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

const HOSTILE = `Seals <img src=x onerror=alert(1)> & "tides" [x](javascript:alert(1))`;
const TITLE = `Tides / <b>seals</b>: "a?b"`;

/** Presses the button of a kind of file; gives the file. */
async function save(panel: Page, kind: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    panel.waitForEvent("download"),
    panel.getByRole("button", { name: kind, exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

test("Markdown, web page, text and JSON hold the lines and lead to their places", async ({
  page,
  site,
  extension,
  context,
  browserName,
}) => {
  test.skip(browserName === "firefox", "Playwright hears of no downloads of this Firefox");
  const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const texts = [HOSTILE, "The tide comes in twice a day, and the boats wait.", "Mussels grow on every rope there."];
  site.handle("/tides", (_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(
      `<!doctype html><html lang="en"><title>${escape(TITLE)}</title><article><h1>${escape(TITLE)}</h1>
      ${texts.map((text) => `<p>${escape(text)}. It is written in the log of the harbor every single evening.</p>`).join("")}</article>`,
    );
  });
  const address = site.url("/tides");
  await page.goto(address);
  const { panel } = await summarize(context, extension, page, { length: "long" });
  const lines = await summaryLines(panel);
  expect(lines.join(" ")).toContain("onerror");
  await panel.getByText("Copy, save or print").click();
  const base = "Tides b seals b a b";

  const json = await save(panel, "JSON");
  expect(json.name).toBe(`${base}.json`);
  const data = JSON.parse(json.text) as { lines: { text: string; sources: { text: string; link: string }[] }[] };
  expect(data).toMatchObject({ format: "pith", version: 1, title: TITLE, address, language: "en", questions: [] });
  expect(data.lines.map(({ text }) => text)).toEqual(lines);
  for (const { text, sources } of data.lines) {
    expect(sources).toHaveLength(1);
    expect(sources[0]?.text).toBe(text);
    expect(sources[0]?.link.startsWith(`${address}#:~:text=`)).toBe(true);
  }

  const markdown = await save(panel, "Markdown");
  expect(markdown.name).toBe(`${base}.md`);
  expect(markdown.text).not.toMatch(/(?<!\\)<img|(?<!\\)\]\(javascript/);
  for (const { sources } of data.lines) expect(markdown.text).toContain(`](<${sources[0]?.link}>)`);

  const plain = await save(panel, "Plain text");
  expect(plain.name).toBe(`${base}.txt`);
  for (const line of lines) expect(plain.text).toContain(`- ${line}`);

  const html = await save(panel, "Web page");
  expect(html.name).toBe(`${base}.html`);
  site.handle("/saved", (_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(html.text);
  });
  const asked: string[] = [];
  const saved = await context.newPage();
  saved.on("request", (request) => asked.push(request.url()));
  await saved.goto(site.url("/saved"));
  await expect(saved.locator("h1")).toHaveText(TITLE);
  expect(await saved.locator("li > span").allInnerTexts()).toEqual(lines);
  expect(await saved.locator("img, script, b").count()).toBe(0);
  expect(asked.filter((url) => !/\/saved$|favicon/.test(url))).toEqual([]);
  const links = await saved.locator("li a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  expect(links).toEqual(data.lines.map(({ sources }) => sources[0]?.link));
});
