// On paper: title, address, date, summary, questions and answers, and nothing of the panel.

import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

test("the paper has the document alone, and its PDF has links to the passages", async ({
  page,
  site,
  extension,
  context,
  browserName,
}) => {
  const address = site.url("/article/");
  await page.goto(address);
  const { panel } = await summarize(context, extension, page);
  const lines = await summaryLines(panel);
  for (const question of ["How old can peat become?", "Who won the football championship?"]) {
    await panel.getByRole("textbox", { name: "Ask this page" }).fill(question);
    await panel.keyboard.press("Enter");
    await panel.locator(".question:last-child .keep-answer").waitFor({ state: "attached" });
  }
  const answers = await panel.locator(".question").first().locator(".passages .passage").allInnerTexts();
  await expect(panel.locator("#paper")).toBeEmpty();

  // What the browser does before it prints.
  if (browserName !== "firefox") await panel.emulateMedia({ media: "print" });
  await panel.evaluate(() => void window.dispatchEvent(new Event("beforeprint")));
  const paper = panel.locator("#paper");
  await expect(paper.getByRole("heading", { level: 1, includeHidden: true })).toHaveText(
    await panel
      .locator("#page-title")
      .innerText()
      .catch(() => ""),
    { ignoreCase: true },
  );
  await expect(paper.locator(".address")).toHaveText(address);
  await expect(paper.locator(".about")).toContainText(String(new Date().getFullYear()));
  await expect(paper.locator("li > span")).toHaveText([...lines, ...answers]);
  await expect(paper.locator("h3")).toHaveText(["How old can peat become?", "Who won the football championship?"]);
  await expect(paper).toContainText("The page does not seem to say.");
  if (browserName !== "firefox") {
    const seen = await panel.evaluate(() =>
      [...document.body.children].filter((one) => one.checkVisibility()).map((one) => one.id),
    );
    expect(seen).toEqual(["paper"]);
    await panel.emulateMedia({ media: null });
  }
  await panel.evaluate(() => void window.dispatchEvent(new Event("afterprint")));
  await expect(paper).toBeEmpty();

  if (browserName === "firefox") return;
  // The button: a tab that prints and closes. The dialog of the browser is left out.
  await context.addInitScript(() => {
    window.print = () => {
      window.dispatchEvent(new Event("beforeprint"));
      window.name = document.getElementById("paper")?.textContent ?? "";
    };
  });
  await panel.getByText("Copy, save or print").click();
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    panel.getByRole("button", { name: "Print", exact: true }).click(),
  ]);
  await expect.poll(() => tab.evaluate(() => window.name)).toContain(lines[0]);
  const closed = tab.waitForEvent("close");
  await tab.evaluate(() => void window.dispatchEvent(new Event("afterprint"))).catch(() => {});
  await closed;
  const devtools = await context.newCDPSession(panel);
  const { data } = await devtools.send("Page.printToPDF", {
    preferCSSPageSize: false,
    paperWidth: 8.27,
    paperHeight: 11.69,
  });
  const pdf = Buffer.from(data, "base64");
  const folder = resolve(ROOT, "e2e/results/screens");
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/print.pdf`, pdf);
  const text = pdf.toString("latin1");
  expect(text.match(/\/Type \/Page\b/g)?.length).toBe(1);
  expect(text.match(/\/URI \(http[^)]*#:~:text=/g)?.length).toBeGreaterThanOrEqual(lines.length);
});
