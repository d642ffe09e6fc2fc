// A server of the reader's own: test, consent, on, off, and what is kept and sent meanwhile.

import AxeBuilder from "@axe-core/playwright";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, type Extension, test as base } from "../../fixtures.ts";
import { shots } from "../../helpers/inspect.ts";
import { type OwnServer, serveOwn } from "../../helpers/own-server.ts";

const test = base.extend<{ own: OwnServer; settings: Page }>({
  own: async ({}, use) => {
    const own = await serveOwn();
    await use(own);
    await own.close();
  },
  settings: async ({ context, extension, own }, use) => {
    await extension.allowHost(own.origin);
    const page = await open(context, extension);
    await use(page);
    // The browser is shared with the next case.
    if (page.isClosed()) return;
    await page.goto(extension.url("pages/server/index.html"));
    await expect(page.locator("#state strong")).toHaveText(/O/);
    if (await page.locator("#turn-off").isVisible()) await page.locator("#turn-off").click();
    await expect(page.locator("#state strong")).toHaveText("Off");
  },
});

async function open(context: BrowserContext, extension: Extension): Promise<Page> {
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(extension.url("pages/server/index.html"));
  await expect(page.locator("#state strong")).toBeVisible();
  return page;
}

const address = (page: Page) => page.getByRole("textbox", { name: "Address" });
const key = (page: Page) => page.getByLabel("Key (if the server wants one)");
const testButton = (page: Page) => page.getByRole("button", { name: "Test", exact: true });
const turnOn = (page: Page) => page.getByRole("button", { name: "Turn on" });
const agree = (page: Page) => page.getByRole("checkbox");

async function try_(page: Page, own: OwnServer, with_key = ""): Promise<void> {
  await address(page).fill(own.host);
  await key(page).fill(with_key);
  await testButton(page).click();
}

/** What every store of the extension holds, as one text. */
const kept = (extension: Extension): Promise<string> =>
  extension.evaluate(
    "background.js",
    "Promise.all([chrome.storage.local.get(), chrome.storage.session.get()]).then((all) => JSON.stringify(all))",
  );

/** Whether the extension may read what the server answers. */
const mayConnect = (extension: Extension, { origin }: OwnServer): Promise<boolean> =>
  extension.evaluate("background.js", `fetch("${origin}/v1/models").then(() => true, () => false)`);

// In Firefox Playwright hides the caret with a style of its own, which the policy does not let in. Chromium tells of answers
// that are errors.
test.beforeEach(({ errors }) => {
  errors.expect(/blocked an inline style/);
  errors.expect(/Failed to load resource/);
  // Without the permission a request is one between origins.
  errors.expect(/blocked by CORS policy|Cross-Origin Request Blocked/);
});

test("is off until it was tested and agreed to; off again, nothing is left", async ({
  settings,
  own,
  context,
  extension,
}) => {
  own.key = "sk-right";
  await expect(settings.locator("#state")).toContainText("Nothing is sent to a server.");
  await expect(turnOn(settings)).toBeHidden();
  await try_(settings, own, "sk-right");
  await expect(settings.locator("#result")).toContainText("The test worked", { timeout: 60_000 });
  await expect(settings.locator("#result q")).toContainText("Zürich, naïve");
  await expect(settings.locator("#result")).toContainText("tokens per second");
  await expect(settings.locator("#model option")).toHaveText(["smollm2-135m-instruct (context of 512 tokens)"]);
  // A test is no consent, and a consent without a test is worth nothing.
  await expect(turnOn(settings)).toBeDisabled();
  await expect(settings.locator("#consent")).toContainText(
    `Pages and questions that you send to Pith are sent to ${own.host}. A question to a conversation of several pages sends text of all of them.`,
  );
  await agree(settings).check();
  await turnOn(settings).click();
  await expect(settings.locator("#state")).toContainText(`On: ${own.host}`);
  await expect(settings.locator("#turn-off")).toBeFocused();

  const stored = await kept(extension);
  const [{ roles }] = JSON.parse(stored) as [{ roles: unknown }];
  // Other cases may have chosen who reads, in the same browser.
  expect(roles).toMatchObject({ writer: { type: "server", host: own.host, model: "smollm2-135m-instruct" } });
  expect(stored).not.toContain("sk-right");
  const again = await open(context, extension);
  await expect(again.locator("#state")).toContainText(`On: ${own.host}`);
  await expect(address(again)).toHaveValue(`${own.origin}/v1`);
  await expect(key(again)).toHaveAttribute("type", "password");
  await again.close();

  await settings.locator("#turn-off").click();
  await expect(settings.locator("#state")).toContainText("Off");
  await expect(address(settings)).toHaveValue("");
  await expect(key(settings)).toHaveValue("");
  expect(await kept(extension)).toContain('"writer":null');
  expect(await mayConnect(extension, own), "the permission is withdrawn").toBe(false);
  expect(
    own.requests.every(({ line }) => /^(?:GET \/v1\/models|POST \/v1\/chat\/completions|OPTIONS )/.test(line)),
  ).toBe(true);
});

test("what is typed anew has to be tested anew", async ({ settings, own }) => {
  await try_(settings, own);
  await expect(settings.locator("#result")).toBeVisible({ timeout: 60_000 });
  await agree(settings).check();
  await expect(turnOn(settings)).toBeEnabled();
  await key(settings).pressSequentially("x");
  await expect(turnOn(settings)).toBeHidden();
  await expect(agree(settings)).toBeHidden();
  await expect(settings.locator("#result")).toBeHidden();
});

for (const [manner, sentence, help] of [
  ["garbage", "sent an answer that cannot be read.", "update the server"],
  ["html", "is not an OpenAI-compatible server.", "Check port and path."],
  ["no-path", "has nothing at this address:", "/v1"],
  ["redirect", "redirects to another address, and Pith does not follow.", "Enter the address that it redirects to."],
  ["half", "broke off in the middle of the answer.", "Try again."],
  ["busy", "has too many requests.", "Try again in 7 seconds."],
  ["no-models", "offers no models.", "Load or download a model on the server"],
] as const) {
  test(`a server that is ${manner} is told in a sentence, and can be tested again`, async ({ settings, own }) => {
    own.manner = manner;
    await try_(settings, own);
    const alert = settings.getByRole("alert");
    await expect(alert).toContainText(sentence, { timeout: 60_000 });
    await expect(alert).toContainText(help);
    await expect(alert).toContainText(own.host);
    await expect(settings.locator("#turn-on:enabled")).toHaveCount(0);
    own.manner = "well";
    await testButton(settings).click();
    await expect(settings.locator("#result")).toContainText("The test worked", { timeout: 60_000 });
    await expect(alert).toBeHidden();
  });
}

test("a wrong key and a missing one are told apart", async ({ settings, own }) => {
  own.key = "sk-right";
  await try_(settings, own, "sk-wrong");
  await expect(settings.getByRole("alert")).toContainText("refuses the key.");
  await try_(settings, own, "");
  await expect(settings.getByRole("alert")).toContainText("wants a key.");
  expect(await settings.locator("body").innerText()).not.toContain("sk-right");
  await key(settings).fill("sk with spaces");
  await testButton(settings).click();
  await expect(settings.getByRole("alert")).toContainText("This key has characters that no key can have.");
});

test("an address that is none, and one where nobody answers", async ({ settings, own, extension }) => {
  await address(settings).fill("not an address");
  await testButton(settings).click();
  await expect(settings.getByRole("alert")).toContainText("This is not the address of a server: not an address");
  await own.close();
  await extension.allowHost(own.origin);
  await address(settings).fill(own.origin);
  await testButton(settings).click();
  await expect(settings.getByRole("alert")).toContainText(`No connection to ${own.host}.`);
});

test("waits while the server loads its model", async ({ settings, own }) => {
  own.manner = "loading";
  await try_(settings, own);
  await expect(settings.locator(".progress-words")).toHaveText("The server is loading its model");
  await expect(settings.locator("#result")).toContainText("The test worked", { timeout: 60_000 });
});

test("Cancel closes the connection at once", async ({ settings, own }) => {
  own.manner = "never-ends";
  await try_(settings, own);
  await expect(settings.locator("#outcome q")).toContainText("again", { timeout: 60_000 });
  expect(own.open).toBe(1);
  await settings.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => own.open, { timeout: 2_000, intervals: [10] }).toBe(0);
  await expect(settings.locator("#outcome")).toBeEmpty();
  own.manner = "well";
  await testButton(settings).click();
  await expect(settings.locator("#result")).toContainText("The test worked", { timeout: 60_000 });
});

test("a test that leads to nothing leaves no permission", async ({ settings, own, extension }) => {
  await try_(settings, own);
  await expect(settings.locator("#result")).toBeVisible({ timeout: 60_000 });
  expect(await mayConnect(extension, own)).toBe(true);
  await settings.close();
  await expect.poll(() => mayConnect(extension, own)).toBe(false);
});

async function inspect(page: Page, state: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    expect(found, state).toEqual([]);
    await page.screenshot({ path: shots(`server-${state}-${colorScheme}.png`) });
  }
}

test("looks right in every state, from right to left, and at 320 pixels", async ({ settings, own }) => {
  await settings.setViewportSize({ width: 900, height: 1020 });
  await inspect(settings, "off");
  await try_(settings, own, "sk-any");
  await expect(settings.locator("#result")).toBeVisible({ timeout: 60_000 });
  await inspect(settings, "tested");
  own.manner = "html";
  await testButton(settings).click();
  await expect(settings.getByRole("alert")).toBeVisible();
  await inspect(settings, "failed");
  own.manner = "well";
  await testButton(settings).click();
  await agree(settings).check();
  await turnOn(settings).click();
  await expect(settings.locator("#state")).toContainText("On:");
  await inspect(settings, "on");

  await settings.evaluate(() => (document.documentElement.dir = "rtl"));
  await inspect(settings, "right-to-left");
  await settings.setViewportSize({ width: 320, height: 1400 });
  expect(await settings.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await inspect(settings, "narrow-right-to-left");
  await settings.evaluate(() => (document.documentElement.dir = "ltr"));
  await inspect(settings, "narrow");
});

test("works with the keyboard alone", async ({ settings, own }) => {
  await address(settings).focus();
  await settings.keyboard.type(own.host);
  await settings.keyboard.press("Enter");
  await expect(settings.locator("#result")).toBeVisible({ timeout: 60_000 });
  await settings.locator("#model").focus();
  await settings.keyboard.press("Tab");
  await expect(agree(settings)).toBeFocused();
  await settings.keyboard.press("Space");
  await settings.keyboard.press("Tab");
  await expect(turnOn(settings)).toBeFocused();
  await settings.keyboard.press("Enter");
  await expect(settings.locator("#turn-off")).toBeFocused();
  await settings.keyboard.press("Enter");
  await expect(address(settings)).toBeFocused();
});
