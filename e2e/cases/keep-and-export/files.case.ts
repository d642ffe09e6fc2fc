// Each kind of file, saved and read back.

import { readdir, readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import type { Running } from "../../harness/launch.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

const HOSTILE = `Seals <img src=x onerror=alert(1)> & "tides" [x](javascript:alert(1))`;
const TITLE = `Tides / <b>seals</b>: "a?b"`;

interface Saved {
  name: string;
  text: string;
}

/** Presses the button of a kind of file; gives the file. */
async function save(panel: Page, kind: string, { downloads }: Running): Promise<Saved> {
  const button = panel.getByRole("button", { name: kind, exact: true });
  if (downloads) {
    const known = await list(downloads);
    await button.click();
    const fresh = async () => (await list(downloads)).filter((name) => !known.includes(name));
    await expect.poll(async () => (await fresh()).filter((name) => !name.endsWith(".part"))).toHaveLength(1);
    const [name = ""] = await fresh();
    await expect.poll(() => readFile(`${downloads}/${name}`, "utf8")).not.toBe("");
    return { name, text: await readFile(`${downloads}/${name}`, "utf8") };
  }
  const [download] = await Promise.all([panel.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

const list = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

test("Markdown, web page, text and JSON hold the lines and lead to their places", async ({
  page,
  site,
  extension,
  context,
  launched,
  errors,
}) => {
  // Of the panel, and of the saved page, which loads nothing.
  errors.expect(/blocked (an inline style|the loading of a resource|a JavaScript eval)/);
  errors.expect(/favicon/);
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

  const json = await save(panel, "JSON", launched);
  expect(json.name).toBe(`${base}.json`);
  const data = JSON.parse(json.text) as { lines: { text: string; sources: { text: string; link: string }[] }[] };
  expect(data).toMatchObject({ format: "pith", version: 1, title: TITLE, address, language: "en", questions: [] });
  expect(data.lines.map(({ text }) => text)).toEqual(lines);
  for (const { text, sources } of data.lines) {
    expect(sources).toHaveLength(1);
    expect(sources[0]?.text).toBe(text);
    expect(sources[0]?.link.startsWith(`${address}#:~:text=`)).toBe(true);
  }

  const markdown = await save(panel, "Markdown", launched);
  expect(markdown.name).toBe(`${base}.md`);
  expect(markdown.text).not.toMatch(/(?<!\\)<img|(?<!\\)\]\(javascript/);
  for (const { sources } of data.lines) expect(markdown.text).toContain(`](<${sources[0]?.link}>)`);

  const plain = await save(panel, "Plain text", launched);
  expect(plain.name).toBe(`${base}.txt`);
  for (const line of lines) expect(plain.text).toContain(`- ${line}`);

  const html = await save(panel, "Web page", launched);
  expect(html.name).toBe(`${base}.html`);
  site.handle("/saved", (_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(html.text);
  });
  const asked: string[] = [];
  const saved = await context.newPage();
  saved.on("request", (request) => asked.push(request.url()));
  await saved.goto(site.url("/saved"));
  expect(asked.filter((url) => !/\/saved$|favicon/.test(url))).toEqual([]);
  // Read in another page: this one lets nothing run, tests neither.
  const read = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "text/html");
    const texts = (selector: string) => [...parsed.querySelectorAll(selector)].map((one) => one.textContent);
    return {
      title: texts("h1"),
      lines: texts("li > span"),
      links: [...parsed.querySelectorAll("li a")].map((one) => one.getAttribute("href")),
      others: texts("img, script, b, iframe, link"),
    };
  }, html.text);
  const links = data.lines.map(({ sources }) => sources[0]?.link);
  expect(read).toEqual({ title: [TITLE], lines, links, others: [] });
});
