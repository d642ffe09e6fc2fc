// A browser without room. With the extension's own permission for storage no quota holds: it runs without that here.

import { expect, test as plain } from "../../fixtures.ts";
import { launchChanged } from "../../harness/changed-extension.ts";
import { launchFirefox } from "../../harness/firefox-extension.ts";
import { records, turnHistory } from "../../helpers/history.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

const test = plain.extend({
  launched: async ({ browserName }, use) => {
    const withoutRoom = (manifest: Record<string, unknown>) => ({
      ...manifest,
      permissions: (manifest["permissions"] as string[]).filter((name) => name !== "unlimitedStorage"),
    });
    const launched = browserName === "firefox" ? await launchFirefox() : await launchChanged(withoutRoom);
    await use(launched);
    await launched.settleErrors?.();
    const left = launched.errors.unexpected();
    await launched.close();
    expect(left, "console errors that the test did not expect").toEqual([]);
  },
});

test("without room in the browser the panel says so, and the summary is there", async ({
  page,
  site,
  extension,
  context,
  browserName,
}) => {
  test.skip(browserName === "firefox", "nothing makes the quota of Firefox small");
  await page.goto(lighthouse(site));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await turnHistory(panel, true);
  test.setTimeout(200_000);
  const devtools = await context.newCDPSession(panel);
  const origin = extension.url("").replace(/\/$/, "");
  await devtools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
  // For so long Chromium takes the room that there was for the room that there is.
  await panel.waitForTimeout(31_000);
  await panel.getByRole("button", { name: "Summarize again" }).click();
  await expect(panel.locator("#not-kept")).toContainText(
    "The history could not be kept: the browser has no room left.",
  );
  expect((await summaryLines(panel)).length).toBe(5);
  await expect(panel.locator("#summary .failure")).toHaveCount(0);
  expect(await records(panel, "entries")).toEqual([]);

  await devtools.send("Storage.overrideQuotaForOrigin", { origin });
  await panel.getByRole("button", { name: "Summarize again" }).click();
  await expect(panel.locator("#not-kept")).toBeEmpty();
  expect(await records(panel, "entries")).toHaveLength(1);
});
