// Questions to the page.

import { expect, test } from "../../fixtures.ts";
import { markedText, summarize, summaryLines } from "../../helpers/panel.ts";

const FACTS = [
  "The lighthouse on Skerry Point was built in 1867 by an engineer from Leith, who slept in a tent on the rock for two summers.",
  "Its lamp first burned rapeseed oil, then paraffin, and since 1953 an electric bulb no larger than a hand.",
  "Three keepers lived there in turns of six weeks, and wrote down the weather every four hours.",
  "Seals rest on the eastern ledge in autumn, and a colony of puffins digs its burrows behind the old garden wall.",
  "The tower was made automatic in 1988; the last keeper took the clock with him and sends it back for repair each spring.",
  "Visitors can reach the island by a small boat from the harbour when the wind is below force four.",
];

test("a question is answered by the best passages, each leading to its place", async ({
  page,
  site,
  extension,
  context,
}) => {
  site.handle("/light", (_, response) => {
    const html = FACTS.map((fact) => `<p>${fact}</p>`).join("");
    response
      .setHeader("content-type", "text/html")
      .end(`<!doctype html><html lang="en"><title>Skerry Point</title><article><h1>Skerry Point</h1>${html}</article>`);
  });
  await page.goto(site.url("/light"));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);

  const ask = async (question: string) => {
    await panel.getByRole("textbox", { name: "Ask this page" }).fill(question);
    await panel.keyboard.press("Enter");
    return panel.locator(".question").filter({ has: panel.getByRole("heading", { name: question }) });
  };
  const birds = await ask("Which birds nest on the island?");
  await expect(birds.locator(".passages .passage").first()).toContainText("puffins");
  await birds.locator(".passages .passage").first().click();
  await expect.poll(() => markedText(page)).toContain("puffins");

  const football = await ask("Who won the football championship?");
  await expect(football.getByText("Nothing on this page seems to answer that.")).toBeVisible();
  await expect(football.locator("> .passages")).toBeHidden();

  await expect(panel.getByRole("textbox", { name: "Ask this page" })).toHaveValue("");
  await expect(panel.locator(".question")).toHaveCount(2);
});
