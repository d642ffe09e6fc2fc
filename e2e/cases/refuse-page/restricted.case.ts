// Pages that cannot be read: each says so in its own words, with what to do, and the panel stays usable.

import { expect, test } from "../../fixtures.ts";
import { FirefoxTargets } from "../../harness/firefox-extension.ts";
import { choose, closeRealPanel, openPanel, press, summarize, summaryLines } from "../../helpers/panel.ts";

/** The smallest file that a viewer opens. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF`;

const ALERT = `document.querySelector("#summary [role=alert]")?.innerText ?? ""`;
const RESTRICTED = "The browser does not let extensions read this page.";

for (const [name, url, inFirefox] of [
  ["the browser's own page", "chrome://version/", null],
  // Firefox lets extensions read it.
  ["a blank page", "about:blank", "There is too little text to summarize here."],
] as const) {
  test(`${name} is refused in words`, async ({ page, extension, browserName }) => {
    test.skip(browserName === "firefox" && inFirefox === null, "Firefox has no such address; its own pages are below");
    await choose(extension);
    await page.goto(url);
    const tab = await press(extension, page);
    const words = browserName === "firefox" && inFirefox ? inFirefox : RESTRICTED;
    await expect.poll(() => extension.evaluate<string>(`?tab=${tab}`, ALERT)).toContain(words);
    if (words !== RESTRICTED) return;
    expect(await extension.evaluate<string>(`?tab=${tab}`, ALERT)).toContain("Open a web page");
  });
}

for (const url of ["about:config", "about:addons", "about:license"]) {
  test(`Firefox's ${url} is refused in words, and takes an old summary away`, async ({ site, extension, launched }) => {
    test.skip(!(launched.targets instanceof FirefoxTargets), "Chromium has no such page; its own are above");
    const targets = launched.targets as FirefoxTargets;
    await choose(extension);
    const article = site.url("/article/");
    await targets.openTab(article);
    await targets.pressAction(article);
    const tab = await targets.tabId(article);
    const panel = `?tab=${tab}`;
    const lines = `document.querySelectorAll("#summary .passage").length`;
    const seen = `document.querySelector("#summary").innerText`;
    await expect.poll(() => extension.evaluate<number>(panel, lines)).toBeGreaterThan(0);
    await targets.goTo(article, url);
    await targets.pressAction(url);
    await expect.poll(() => extension.evaluate<string>(panel, ALERT)).toContain(RESTRICTED);
    await expect.poll(() => extension.evaluate<string>(panel, seen)).not.toContain("The long memory of peat");
    await closeRealPanel(extension, tab);
    await targets.closeTab(url);
  });
}

test("a tab that Pith was not asked to read needs the toolbar button", async ({ page, site, extension, context }) => {
  await page.goto(site.url("/article/"));
  const tab = await extension.tabId(page);
  const panel = await openPanel(context, extension, tab);
  await expect(panel.getByRole("alert")).toContainText("Pith reads a page only when you ask it to.");
  await expect(panel.getByRole("alert")).toContainText("toolbar");
});

test(
  "a link to another site takes the old page away and says how to read the new one",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context }) => {
    const other = site.url("/recipe/").replace("127.0.0.1", "localhost");
    await page.goto(site.url("/article/"));
    const { panel } = await summarize(context, extension, page);
    await summaryLines(panel);
    await page.goto(other);
    const alert = panel.getByRole("alert");
    await expect(alert).toContainText("Pith reads a page only when you ask it to.");
    const [action] = await extension.evaluate<{ name: string; shortcut: string }[]>(
      "background.js",
      "chrome.commands.getAll()",
    );
    await expect(alert).toContainText(`toolbar, or ${action?.shortcut}, to read this page`);
    await expect(alert.getByRole("button")).toHaveCount(0);
    await expect(panel.locator("#summary .passage")).toHaveCount(0);
    await expect(panel.getByText("The long memory of peat")).toHaveCount(0);
    await press(extension, page);
    await summaryLines(panel);
    await expect(alert).toHaveCount(0);
  },
);

for (const path of ["/paper.pdf", "/paper?id=7"]) {
  test(
    `a PDF at ${path} is offered to be read in a page of its own`,
    { tag: path.includes("?") ? [] : "@long" },
    async ({ page, site, extension, browserName }) => {
      test.skip(
        browserName === "firefox" && !path.endsWith(".pdf"),
        "Firefox lets no extension connect to a tab's site by a press of its button: the address alone tells",
      );
      site.handle(
        new URL(path, site.url("/")).pathname,
        (_, response) => void response.setHeader("content-type", "application/pdf; charset=binary").end(PDF),
      );
      await choose(extension);
      await page.goto(site.url(path));
      const tab = await press(extension, page);
      await expect.poll(() => extension.evaluate<string>(`?tab=${tab}`, ALERT)).toContain("This tab shows a PDF file.");
    },
  );
}

test("a closed tab is noticed", { tag: "@long" }, async ({ page, site, extension, context }) => {
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await page.close();
  await panel.getByRole("button", { name: "Summarize this page" }).click();
  await expect(panel.getByRole("alert")).toContainText("The page was closed or left while Pith was reading it.");
});

for (const [name, body] of [
  ["an empty page", ""],
  ["a page with a picture only", "<canvas width=400 height=300></canvas>"],
  ["a page whose text is all hidden", `<p style="display:none">${"Nobody sees this sentence. ".repeat(20)}</p>`],
] as const) {
  test(
    `${name} has no text, and the panel can be used again once it has some`,
    { tag: name.includes("hidden") ? [] : "@long" },
    async ({ page, site, extension, context }) => {
      const path = `/none-${name.replace(/\W/g, "-")}`;
      site.handle(path, (_, response) => {
        response.setHeader("content-type", "text/html").end(`<!doctype html><title>None</title>${body}`);
      });
      await page.goto(site.url(path));
      const { panel } = await summarize(context, extension, page);
      await expect(panel.getByRole("alert")).toContainText(/There is (no|too little) text to summarize here\./);
      await page.evaluate(() => {
        const paragraph = document.createElement("p");
        paragraph.textContent =
          "At last a sentence stands here that anybody can read without any effort at all. " +
          "Another one follows it, so that the page has something to say to whoever opens it. ".repeat(4);
        document.body.append(paragraph);
      });
      await panel.getByRole("button", { name: "Try again" }).click();
      expect((await summaryLines(panel)).length).toBeGreaterThan(0);
    },
  );
}
