// The browser's own question for a host: with the extension as it is delivered, nobody having answered yet.

import { expect, test } from "../../fixtures.ts";
import { bytesOf } from "../../helpers/downloads.ts";
import { lookUp, openModels } from "../../helpers/models-page.ts";

test("nothing is fetched before the reader has answered the browser's question", async ({
  page,
  extension,
  faulty,
  browserName,
}) => {
  test.skip(browserName === "firefox", "there the question is answered by a setting: it could not be left open");
  const file = faulty.serve("/model.gguf", bytesOf("small"));
  await openModels(page, extension);
  await lookUp(page, file.url);
  const { host } = new URL(file.url);
  await expect(page.getByText(`The browser asks whether Pith may load from ${host}.`)).toBeVisible();
  await page.waitForTimeout(1_500);
  expect(file.requests).toEqual([]);
  const has = `chrome.permissions.contains({ origins: ["http://localhost/*"] })`;
  expect(await extension.evaluate("background.js", has)).toBe(false);

  // The same for a known model.
  const known = page.locator("#recommended-list > li").first();
  await known.getByRole("button", { name: /^Download .* from huggingface\.co: / }).click();
  await expect(known).toContainText("The browser asks whether Pith may load from huggingface.co.");
});
