// Of a private window nothing is kept, not even where its own storage says that there is a history.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { launch } from "../../harness/launch.ts";
import { lighthouse } from "../../helpers/pages.ts";

interface DevtoolsOfExtensions {
  chrome: { developerPrivate: { updateExtensionConfiguration(change: object): Promise<void> } };
}

/** Turns the history on behind the switch, as a profile from elsewhere might have it. */
const TURN_ON = `new Promise((resolve) => {
  const opening = indexedDB.open("pith-history", 1);
  opening.onupgradeneeded = () => {
    const { result } = opening;
    result.createObjectStore("entries", { keyPath: "id" }).createIndex("age", ["updatedMs", "bytes"]);
    result.createObjectStore("vectors", { keyPath: "id" });
    result.createObjectStore("state").put({ isOn: true, dropped: 0 }, "state");
  };
  opening.onsuccess = () => resolve(opening.result.close());
})`;

const COUNT = `new Promise((resolve) => {
  const opening = indexedDB.open("pith-history");
  opening.onsuccess = () => {
    const request = opening.result.transaction("entries").objectStore("entries").count();
    request.onsuccess = () => resolve(request.result);
  };
})`;

const LINES = `document.querySelectorAll("#summary .passage").length`;
const IS_DONE = `Boolean(document.querySelector("#summary .facts:not([hidden])"))`;

test("a private window keeps nothing", async ({ site, browserName }) => {
  test.skip(browserName === "firefox", "there the extension is not allowed in private windows at all");
  const profile = await mkdtemp(join(tmpdir(), "pith-profile-"));
  const setting = await launch({ profile });
  const extensions = await setting.context.newPage();
  await extensions.goto("chrome://extensions/");
  await extensions.evaluate(
    (extensionId) =>
      (globalThis as unknown as DevtoolsOfExtensions).chrome.developerPrivate.updateExtensionConfiguration({
        extensionId,
        incognitoAccess: true,
      }),
    setting.extensionId!,
  );
  await setting.close();

  const launched = await launch({ profile });
  const { targets } = launched;
  try {
    const url = lighthouse(site);
    await targets.evaluate("background.js", `chrome.storage.local.set({ settings: { backend: "cpu" } })`);
    const open = `chrome.windows.create({ incognito: true, url: "${url}" }).then(() => true)`;
    await targets.evaluate("background.js", open);
    // The page must be there, and the private window's background script listen, before a press is worth something.
    await expect.poll(() => launched.context.pages().some((one) => one.url() === url)).toBe(true);
    await launched.context
      .pages()
      .find((one) => one.url() === url)!
      .waitForLoadState();
    await expect(async () => {
      await targets.pressAction(url);
      await expect.poll(async () => (await targets.urls()).some((one) => one.includes("?tab="))).toBe(true);
    }).toPass({ timeout: 40_000 });
    await expect.poll(() => targets.evaluate<boolean>("?tab=", IS_DONE), { timeout: 60_000 }).toBe(true);
    expect(await targets.evaluate("?tab=", "chrome.extension.inIncognitoContext")).toBe(true);
    expect(await targets.evaluate("?tab=", LINES)).toBe(5);
    const input = `document.getElementById("history-switch")`;
    expect(await targets.evaluate("?tab=", `${input}.disabled && !${input}.checked`)).toBe(true);

    await targets.evaluate("?tab=", TURN_ON);
    await targets.evaluate("?tab=", `document.getElementById("again").click()`);
    // Nothing tells that nothing was kept: time enough for it to be.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await expect.poll(() => targets.evaluate<boolean>("?tab=", IS_DONE)).toBe(true);
    expect(await targets.evaluate("?tab=", COUNT)).toBe(0);
    expect(await targets.evaluate("?tab=", `document.getElementById("not-kept").textContent`)).toBe("");
  } finally {
    await launched.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
});
