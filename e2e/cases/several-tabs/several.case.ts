// Pages of several tabs in one conversation: added by a press of the button, asked together, named by their sources.

import { expect, test } from "../../fixtures.ts";
import { cutOff, inspect } from "../../helpers/inspect.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { closeRealPanel, markedText, openPanel, press, summaryLines } from "../../helpers/panel.ts";
import { add, ask, birdPage, gather, isActive, listed } from "../../helpers/several-tabs.ts";

// In Firefox Playwright hides the caret with a style of its own, which the panel's policy does not let in.
test.beforeEach(({ errors }) => errors.expect(/blocked an inline style/));

test("a press adds a page, sources name their page, and a click leads to its tab", async ({
  page,
  site,
  extension,
  context,
}) => {
  const { panel, tab } = await gather(context, extension, page, lighthouse(site));
  await expect(panel.getByRole("button", { name: "Done" })).toBeFocused();
  const other = await context.newPage();
  await other.goto(birdPage(site, "trilmane"));
  const added = await add(extension, other);
  expect(added.text).toContain("Skerry Point");
  await expect(listed(panel)).toHaveText(["Skerry Point", "The trilmane"]);
  await expect(panel.locator("#live")).toHaveText(/Added to the conversation: .The trilmane/);
  await panel.bringToFront();
  await panel.getByRole("button", { name: "Done" }).click();
  await expect(panel.getByRole("button", { name: "Add another page" })).toBeFocused();
  await expect(panel.getByRole("textbox", { name: "Ask these pages" })).toBeVisible();

  const bird = await ask(panel, "What does the trilmane build its nest of?");
  const first = bird.locator(".passages .passage").first();
  await expect(first).toContainText("copper wire");
  await expect(first.locator(".page-mark")).toHaveText(/The trilmane/);
  const lamp = await ask(panel, "What did the lamp of the lighthouse burn?");
  await expect(lamp.locator(".passages .passage").first()).toContainText("rapeseed oil");
  await expect(lamp.locator(".passages .passage .page-mark").first()).toHaveText(/Skerry Point/);

  await panel.bringToFront();
  await first.click();
  await expect.poll(() => markedText(other)).toContain("copper wire");
  await expect.poll(() => isActive(extension, added.tab)).toBe(true);
  await expect(first).toHaveAttribute("aria-current", "location");
  await lamp.locator(".passages .passage").first().click();
  await expect.poll(() => markedText(page)).toContain("rapeseed oil");
  // The button is the usual one again: it summarizes.
  const third = await context.newPage();
  await third.goto(birdPage(site, "quorvex"));
  const alone = await press(extension, third);
  await closeRealPanel(extension, alone);
  const own = await openPanel(context, extension, alone);
  expect((await summaryLines(own)).join(" ")).toContain("quorvex");
  await expect(listed(panel)).toHaveCount(2);
  expect(tab).not.toBe(alone);
});

test(
  "the panel of an added page says so, and summarizes it all the same",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    const { tab: conversation } = await gather(context, extension, page, lighthouse(site));
    const other = await context.newPage();
    await other.goto(birdPage(site, "trilmane"));
    const { tab } = await add(extension, other);
    const panel = await openPanel(context, extension, tab);
    const notice = panel.locator("#joined");
    await expect(notice.getByRole("status")).toHaveText(/in the conversation about .Skerry Point. \(2 of 8 pages\)/);
    await notice.getByRole("button", { name: "Stop adding pages" }).click();
    await expect(notice.getByRole("button", { name: "Stop adding pages" })).toBeHidden();
    await notice.getByRole("button", { name: "Summarize this page" }).click();
    expect((await summaryLines(panel)).join(" ")).toContain("trilmane");
    await notice.getByRole("button", { name: "Go to the conversation" }).click();
    await expect.poll(() => isActive(extension, conversation)).toBe(true);
  },
);

test(
  "a tab that is closed or goes elsewhere takes its page and its answers out",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context }) => {
    const { panel } = await gather(context, extension, page, lighthouse(site));
    const [first, second] = [await context.newPage(), await context.newPage()];
    await first.goto(birdPage(site, "trilmane"));
    await add(extension, first);
    await second.goto(birdPage(site, "quorvex"));
    await add(extension, second);
    await expect(listed(panel)).toHaveText(["Skerry Point", "The trilmane", "The quorvex"]);
    const bird = await ask(panel, "What does the trilmane build its nest of?");
    await expect(bird.locator(".passages .passage").first()).toContainText("copper wire");

    await first.close();
    await expect(listed(panel)).toHaveText(["Skerry Point", "The quorvex"]);
    await expect(panel.locator("#pages").getByRole("status")).toHaveText(/closed and is no longer.*The trilmane/);
    await expect(bird.getByRole("alert")).toContainText("used a page that is no longer in the conversation");
    await expect(bird).not.toContainText("copper wire");
    await bird.getByRole("button", { name: "Try again" }).click();
    await expect(bird.locator(".page-mark").first()).toHaveText(/The quorvex|Skerry Point/);

    // The same page loaded again stays; another one does not.
    await second.reload();
    await second.goto(site.url("/article/"));
    await expect(listed(panel)).toHaveCount(0);
    await expect(panel.locator("#pages").getByRole("status")).toHaveText(/shows another page now.*The quorvex/);
    await expect(panel.getByRole("textbox", { name: "Ask this page" })).toBeVisible();
  },
);

test(
  "the same tab twice, a title of 1 MB, a blank page and a ninth page",
  { tag: "@long" },
  async ({ page, site, extension, context, browserName }) => {
    test.setTimeout(300_000);
    const { panel } = await gather(context, extension, page, lighthouse(site));
    const other = await context.newPage();
    await other.goto(birdPage(site, "longname", `Long ${"title ".repeat(170_000)}`));
    await add(extension, other);
    await add(extension, other);
    await expect(listed(panel)).toHaveCount(2);
    expect((await listed(panel).last().innerText()).length).toBeLessThan(250);
    const blank = await context.newPage();
    await blank.goto(site.url("/empty/"));
    await add(extension, blank, "There is too little text");
    await expect(listed(panel)).toHaveCount(2);
    for (const bird of ["alpharo", "bethoon", "gammarel", "deltoid", "epsilark", "zetafinch"]) {
      const next = await context.newPage();
      await next.goto(birdPage(site, bird));
      await add(extension, next);
    }
    await expect(listed(panel)).toHaveCount(8);
    await expect(panel.getByText("A conversation can have up to 8 pages.")).toBeVisible();
    const ninth = await context.newPage();
    await ninth.goto(birdPage(site, "etawren"));
    await add(extension, ninth, "the conversation has 8 pages already");
    await expect(listed(panel)).toHaveCount(8);
    const bird = await ask(panel, "Where does the zetafinch sleep in winter?");
    await expect(bird.locator(".passages .passage").first()).toContainText("zetafinch sleeps under the ice");

    await panel.bringToFront();
    await panel.getByRole("button", { name: /Remove .The zetafinch/ }).press("Enter");
    await expect(listed(panel)).toHaveCount(7);
    await expect(panel.getByRole("button", { name: "Done" })).toBeFocused();
    await add(extension, ninth);
    await expect(listed(panel).last()).toHaveText("The etawren");

    await panel.bringToFront();
    await panel.setViewportSize({ width: 320, height: 820 });
    expect(await cutOff(panel)).toEqual([]);
    await panel.locator("#pages").scrollIntoViewIfNeeded();
    // The document is the same in both browsers.
    if (browserName === "chromium") await inspect(panel, "several-tabs");
  },
);
