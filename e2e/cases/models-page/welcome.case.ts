// The first page after installation.

import { expect, makeFast, MODELS_PAGE, test } from "../../helpers/models-page.ts";

test.use({ welcome: true });

const isWelcome = (url: string) => url.endsWith("/pages/welcome/index.html");

test("opens once, says what works without a download, and downloads nothing by itself", async ({
  context,
  extension,
  browserName,
}) => {
  await expect.poll(() => context.pages().filter((page) => isWelcome(page.url())).length, { timeout: 60_000 }).toBe(1);
  const page = context.pages().find((one) => isWelcome(one.url()))!;
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome to Pith");
  await expect(page.locator("#how > li")).toHaveCount(3);
  await makeFast(page, extension);
  const download = page.getByRole("button", { name: /^Download [\d.]+\s[MG]B from huggingface\.co: / });
  await expect(download).toBeVisible({ timeout: 60_000 });
  await expect(page.locator("#pick")).toContainText(
    /For this computer: .*it should write best: about \d+\s\w+ for such a page/,
  );
  await expect(page.locator("#pick")).toContainText(/Size.*[MG]B.*From.*huggingface\.co.*License.*Maker.*Languages/);
  const notNow = page.getByRole("button", { name: "Not now" });
  const style = (one: typeof download) =>
    one.evaluate((element) => {
      const { backgroundColor, fontWeight, fontSize } = getComputedStyle(element);
      return [backgroundColor, fontWeight, fontSize];
    });
  expect(await style(notNow)).toEqual(await style(download));
  // No host is allowed, and nothing is stored.
  const origins = await extension.evaluate<string[]>(
    "background.js",
    "chrome.permissions.getAll().then(({ origins }) => origins)",
  );
  expect(origins.filter((one) => one.includes("huggingface"))).toEqual([]);

  await notNow.click();
  await expect(page.getByText("You can download a model at any time")).toBeVisible();
  await expect(download).toBeHidden();
  await page.getByRole("link", { name: "See all models" }).click();
  await expect(page).toHaveURL(extension.url(MODELS_PAGE));
  await expect(page.getByText("No model is stored yet.")).toBeVisible({ timeout: 60_000 });

  // It is not opened again.
  expect(await extension.evaluate("background.js", `chrome.storage.local.get("welcomed")`)).toEqual({ welcomed: true });
  if (browserName === "firefox") return;
  await extension.evaluate("background.js", "void setTimeout(() => chrome.runtime.reload())");
  await expect.poll(() => context.pages().filter((one) => one.url().startsWith("chrome-extension:")).length).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(context.pages().filter((one) => isWelcome(one.url()))).toEqual([]);
});
