// The text of a tab that was in another tab's conversation goes with it.

import { expect, test } from "../../fixtures.ts";
import { searchHost } from "../../harness/search-memory.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { add, ask, birdPage, gather, listed } from "../../helpers/several-tabs.ts";

test.skip(({ browserName }) => browserName === "firefox", "Firefox gives no snapshot of an extension's heap");
test.use({ freshProfile: true });

test("a closed tab's text is gone from the host and its worker within a second", async ({
  page,
  site,
  extension,
  context,
}) => {
  const { panel } = await gather(context, extension, page, lighthouse(site));
  const other = await context.newPage();
  await other.goto(birdPage(site, "quorvex"));
  await add(extension, other);
  // The question has no word of the page: the reader's own words stay. And no text of the answer is looked at: the test would
  // keep it, in a page of the same process.
  const answer = await ask(panel, "What is the nest built of?");
  await expect(answer.locator(".page-mark").first()).toBeVisible();
  const before = await searchHost(context, "quorvex");
  expect(before.find(({ who }) => who === "host")?.strings).toBeGreaterThan(0);
  expect(before.find(({ who }) => who === "worker")?.bytes).toBeGreaterThan(0);
  await other.close();
  await expect(listed(panel)).toHaveCount(0);
  await panel.waitForTimeout(1_000);
  for (const { who, strings, bytes } of await searchHost(context, "quorvex"))
    expect({ who, strings, bytes }).toEqual({ who, strings: 0, bytes: 0 });
  // Another worker answers about the page that is left.
  await expect(await ask(panel, "What did the lamp burn?")).toContainText("rapeseed oil");
});
