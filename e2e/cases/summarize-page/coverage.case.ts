// The panel says how much of a page was read, and shows what was left out.

import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../../fixtures.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

const FACTS = [
  "The lock of Averby lifts boats of up to forty tonnes, and takes eleven minutes from gate to gate.",
  "Its gates are of oak, because the steel ones of 1931 rusted faster than anybody could paint them.",
  "In dry summers the keeper lets only four boats through in an hour, so that the canal keeps its water.",
  "A bell on the upper gate tells the mill that the race will run low for the time of one filling.",
];
const text = `<main><h1>Locks</h1>${FACTS.map((fact) => `<p>${fact}</p>`).join("")}</main>`;
const page_ = (body: string): string =>
  `<!doctype html><html lang="en"><title>Locks</title><body>${body}</body></html>`;

test("the line names what was left out, and unfolds it by keyboard", async ({
  page,
  site,
  extension,
  context,
  browserName,
}) => {
  const links = `<table><tr><td><a href="#p">Previous chapter</a></td><td><a href="#n">Next chapter</a></td></tr>
    <tr><td><a href="#1">Weirs</a></td><td><a href="#2">Mills</a></td></tr></table>`;
  site.handle("/left-out", (_, response) => {
    const nav = `<nav><a href="#a">Boats</a> <a href="#b">Weirs and <b>mills</b></a></nav>`;
    response.setHeader("content-type", "text/html; charset=utf-8").end(page_(nav + links + text + links));
  });
  await page.goto(site.url("/left-out"));
  const { panel } = await summarize(context, extension, page, { length: "short" });
  await summaryLines(panel);
  const line = panel.locator("#summary .coverage > summary");
  await expect(line).toHaveText("Read 79 of 95 words; left out: 2 tables of links, navigation");
  await expect(panel.getByText("Next chapter")).toHaveCount(0);
  await line.focus();
  await panel.keyboard.press("Enter");
  await expect(panel.locator(".left-out h3")).toHaveText(["2 tables of links", "navigation"]);
  await expect(panel.locator(".left-out li").filter({ hasText: "Previous chapter Next chapter" })).toHaveCount(2);
  await expect(panel.locator(".left-out li").filter({ hasText: "Boats Weirs and mills" })).toBeVisible();
  if (browserName === "chromium") {
    const { violations } = await new AxeBuilder({ page: panel }).include("#summary").analyze();
    expect(violations).toEqual([]);
  }
  await panel.keyboard.press("Enter");
  await expect(panel.locator(".left-out li")).toHaveCount(0);
});

test("a page that was read whole says so", { tag: "@long" }, async ({ page, site, extension, context }) => {
  site.handle("/whole", (_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(page_(text));
  });
  await page.goto(site.url("/whole"));
  const { panel } = await summarize(context, extension, page, { length: "short" });
  await summaryLines(panel);
  await expect(panel.locator("#summary .facts")).toContainText("Read all 79 words");
  await expect(panel.locator("#summary .coverage")).toBeHidden();
});

const PERMIT = "A permit costs forty euros a year, and it is sent by post within nine days.";
const APPLY = "Everybody with a boat may apply, and nobody is asked what the boat is for.";

/** The page with two closed sections before its last fact. */
const withSections = (first: string, second: string): string =>
  `<nav><a href="#a">Boats</a> <a href="#b">Weirs</a></nav>${text.replace(`<p>${FACTS[3]}`, `${first}${second}$&`)}`;

test("closed sections are named first, and a button opens and reads them", async ({
  page,
  site,
  extension,
  context,
}) => {
  const section = (id: string, head: string, body: string): string =>
    `<h3><button aria-expanded="false" aria-controls="${id}">${head}</button></h3><div id="${id}" hidden><p>${body}</p></div>`;
  const script = `<script>for (const one of document.querySelectorAll("h3 button"))
    one.onclick = () => { one.ariaExpanded = "true"; one.parentElement.nextElementSibling.hidden = false; };</script>`;
  site.handle("/closed", (_, response) => {
    const body = withSections(
      section("a1", "What does a permit cost?", PERMIT),
      section("a2", "Who may apply?", APPLY),
    );
    response.setHeader("content-type", "text/html; charset=utf-8").end(page_(body + script));
  });
  await page.goto(site.url("/closed"));
  const { panel } = await summarize(context, extension, page, { length: "short" });
  const line = panel.locator("#summary .coverage > summary");
  const open = panel.getByRole("button", { name: "Open what is closed and read again" });
  await expect(line).toContainText("left out: 2 closed sections, navigation");
  await open.click();
  await expect(line).not.toContainText("closed");
  await expect(open).toBeHidden();
  await panel.locator("#question").fill("What does a permit cost?");
  await panel.locator("#ask-submit").click();
  await expect(panel.locator("#questions .passage").first()).toContainText("forty euros", { timeout: 60_000 });
});

test("a page that is made of closed sections is opened and read", async ({ page, site, extension, context }) => {
  const section = (head: string, body: string): string => `<details><summary>${head}</summary><p>${body}</p></details>`;
  site.handle("/made-of-closed", (_, response) => {
    const body = withSections(section("What does a permit cost?", PERMIT), section("Who may apply?", APPLY));
    response.setHeader("content-type", "text/html; charset=utf-8").end(page_(body));
  });
  await page.goto(site.url("/made-of-closed"));
  const { panel } = await summarize(context, extension, page, { length: "short" });
  await expect(panel.getByText("Opened 2 closed sections of the page to read them")).toBeVisible();
  await expect(panel.locator("#summary .coverage > summary")).toContainText("left out: navigation");
  // What was read is shown.
  await expect(page.getByText(PERMIT)).toBeVisible();
  await panel.locator("#question").fill("What does a permit cost?");
  await panel.locator("#ask-submit").click();
  await expect(panel.locator("#questions .passage").first()).toContainText("forty euros", { timeout: 60_000 });
});
