// Pages whose names stand for members of the DOM, and a reader that fails.

import { expect, test } from "../../fixtures.ts";
import { markedText, sentenceCount, summarize, summaryLines } from "../../helpers/panel.ts";

const PROSE = [
  "Glass is made of sand, soda and lime, melted together at about fifteen hundred degrees.",
  "Venetian workers were forbidden to leave their island, so that nobody else would learn their craft.",
  "A sheet of window glass floats on liquid tin while it cools, which makes both of its sides perfectly flat.",
  "Recycled glass melts at a lower temperature than sand, and every tenth part of it saves three per cent of the fuel.",
];
const article = PROSE.map((one) => `<p>${one}</p>`).join("");

/** Every member of a form and of a document, inherited ones included, as a page's script would list them. */
const NAME_ALL = `
  const names = (of) => of ? [...Object.getOwnPropertyNames(of), ...names(Object.getPrototypeOf(of))] : [];
  const form = document.forms[0];
  const last = document.querySelector("footer");
  const append = Element.prototype.append;
  const create = document.createElement.bind(document);
  for (const name of names(HTMLFormElement.prototype)) {
    for (const tag of ["input", "fieldset", "output"]) {
      const control = create(tag);
      control.setAttribute(tag === "input" ? "name" : "id", name);
      control.hidden = tag === "input";
      append.call(form, control);
    }
  }
  for (const name of names(Document.prototype)) {
    const image = new Image();
    image.setAttribute("name", name);
    last.append(image);
  }`;

test(
  "names of controls and images that stand for members of the DOM do not hide a page",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context }) => {
    site.handle("/names", (_, response) => {
      response
        .setHeader("content-type", "text/html; charset=utf-8")
        .end(
          `<!doctype html><html lang="en"><title>Glass</title><body><form><article><h1>Glass</h1>${article}</article></form>` +
            `<footer></footer><script>${NAME_ALL}</script></body></html>`,
        );
    });
    await page.goto(site.url("/names"));
    const isTaken = await page.evaluate(() => {
      const [form] = Document.prototype.getElementsByTagName.call(document, "form") as unknown as HTMLFormElement[];
      return form?.childNodes instanceof RadioNodeList && document.body instanceof HTMLImageElement;
    });
    expect(isTaken).toBe(true);
    const { panel } = await summarize(context, extension, page, { length: "short" });
    const lines = await summaryLines(panel);
    for (const line of lines) expect(PROSE).toContain(line);
    expect(await sentenceCount(panel)).toBe(PROSE.length);
    await panel.locator("#summary .passage").first().click();
    await expect.poll(() => markedText(page)).toBe(lines[0]);
  },
);

test(
  "a fault of the reader is called one, with its code",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    await page.goto(site.url("/article/"));
    const { panel, tab } = await summarize(context, extension, page);
    await summaryLines(panel);
    await extension.evaluate(
      "background.js",
      `chrome.scripting.executeScript({ target: { tabId: ${tab} }, func: () => {
      pithPage.picture = () => { throw new Error("a fault at chrome-extension://id/content/page.js:1:1"); };
    } })`,
    );
    await panel.getByRole("button", { name: "Summarize again" }).click();
    const alert = panel.getByRole("alert");
    await expect(alert).toContainText("Pith failed to read this page.");
    await expect(alert.locator("code")).toContainText("page_reader_failed: Error: a fault");
  },
);
