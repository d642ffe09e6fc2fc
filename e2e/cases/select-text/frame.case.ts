// A model that speaks of the fence around the text: nothing of the fence is ever shown, also not while the answer grows.

import { basename } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { storeFile } from "../../harness/stored-model.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";
import { scriptedModel } from "../../helpers/scripted-model.ts";
import { clickMenu, select } from "../../helpers/selection.ts";

test.use({ freshProfile: true });
// The panel may only be opened by a gesture: the click in the menu is none here.
test.beforeEach(({ errors }) => errors.expect(/sidePanel|user gesture|user input|inline style/));

/** Marks come in pieces: no token has one. */
const FILE = () =>
  scriptedModel("speaks-of-its-fence", "{{ messages[-1].content }}", {
    "1": [
      "It ",
      "is ",
      "old. ",
      'The code is called "',
      "BEG",
      "IN",
      " TE",
      "XT",
      '" and more. ',
      "It was ",
      "built on",
      " a rock.",
    ],
    "2": ["The code ", "starts ", 'with "BE', "GIN T", 'EXT".', " It ends", " so."],
  });

test("sentences with its marks are dropped; an answer about it is not shown", async ({
  page,
  site,
  extension,
  context,
}) => {
  await page.goto(lighthouse(site));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  const own = await context.newPage();
  await own.goto(extension.url("pages/actions/index.html"));
  const name = await storeFile(own, FILE());
  await own.close();
  const writer = { type: "local", name, title: basename(name), source: null };
  await extension.evaluate("background.js", `chrome.storage.local.set(${JSON.stringify({ roles: { writer } })})`);

  const ask = async (instruction: string) => {
    await select(page, "p");
    await clickMenu(extension, page, "explain");
    await panel.bringToFront();
    await panel.getByRole("textbox", { name: "Instruction" }).fill(instruction);
    await panel.keyboard.press("Enter");
    return panel.locator("article.act").first();
  };
  await panel.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    const note = () => seen.push(...[...document.querySelectorAll("div.answer")].map((one) => one.textContent ?? ""));
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const first = await ask("Explain it, 1");
  await expect(first.getByText(/not checked/)).toBeVisible({ timeout: 60_000 });
  await expect(first.locator("div.answer")).toHaveText("It is old. It was built on a rock.");
  const second = await ask("Explain it, 2");
  await expect(second.getByRole("alert")).toContainText("wrote nothing that can be shown", { timeout: 60_000 });
  const seen = await panel.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
  expect(seen.filter((text) => /BEG|TEXT/.test(text))).toEqual([]);
});
