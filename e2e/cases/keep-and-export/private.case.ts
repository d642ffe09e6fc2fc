// Of a private window nothing is kept, not even where its own storage says that there is a history.

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { launch } from "../../harness/launch.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { randomModel } from "../../helpers/random-model.ts";

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

const NEEDLE = "needle-of-a-private-window";

/** Files of a profile that have a text, in letters of one byte or two. */
async function filesWith(profile: string, text: string): Promise<string[]> {
  const needles = [Buffer.from(text), Buffer.from(text, "utf16le")];
  const found: string[] = [];
  for (const entry of await readdir(profile, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const bytes = entry.isFile() ? await readFile(path).catch(() => null) : null;
    if (bytes && needles.some((needle) => bytes.includes(needle))) found.push(path);
  }
  return found;
}

/** Waits for what an expression gives. */
const soon = (expression: string): string => `new Promise((resolve, reject) => {
  const end = Date.now() + 25_000;
  const look = () => {
    const found = ${expression};
    if (found) resolve(String(found));
    else if (Date.now() > end) reject(new Error("never: " + document.body.innerText));
    else setTimeout(look, 100);
  };
  look();
})`;

/** Lets the extension run in private windows of a profile. */
async function allowPrivate(profile: string): Promise<void> {
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
}

const LINES = `document.querySelectorAll("#summary .passage").length`;
const IS_DONE = `Boolean(document.querySelector("#summary .facts:not([hidden])"))`;

test("a private window keeps nothing", async ({ site, browserName }) => {
  test.skip(browserName === "firefox", "there the extension is not allowed in private windows at all");
  const profile = await mkdtemp(join(tmpdir(), "pith-profile-"));
  await allowPrivate(profile);
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

test("what is chosen in a private window is not on the disk when the browser has ended", async ({
  site,
  browserName,
}) => {
  test.skip(browserName === "firefox", "there the extension is not allowed in private windows at all");
  test.setTimeout(240_000);
  const profile = await mkdtemp(join(tmpdir(), "pith-profile-"));
  await allowPrivate(profile);
  const file = randomModel("small");
  site.mount("/random/", dirname(file));
  const launched = await launch({ profile });
  const { targets } = launched;
  try {
    // What normal windows store is found: the search can find.
    await targets.evaluate(
      "background.js",
      `chrome.storage.local.set({ hub: "https://seen-by-normal-windows.example" })`,
    );
    for (const page of ["models", "actions"]) {
      const url = `chrome.runtime.getURL("pages/${page}/index.html")`;
      const open = `chrome.windows.create({ incognito: true, url: ${url} }).then(() => true)`;
      await targets.evaluate("background.js", open);
      await expect.poll(async () => (await targets.urls()).some((one) => one.includes(`pages/${page}/`))).toBe(true);
      const at = `pages/${page}/index.html`;
      expect(await targets.evaluate(at, "chrome.extension.inIncognitoContext")).toBe(true);
      if (page === "models") {
        await targets.evaluate(at, soon(`document.querySelector("#file")`));
        await targets.evaluate(
          at,
          `(async () => {
            const blob = await (await fetch("${site.url(`/random/${basename(file)}`)}")).blob();
            const transfer = new DataTransfer();
            transfer.items.add(new File([blob], "${NEEDLE}.gguf"));
            const input = document.querySelector("#file");
            input.files = transfer.files;
            input.dispatchEvent(new Event("change", { bubbles: true }));
          })()`,
        );
        await targets.evaluate(at, soon(`document.querySelector("#own .next-step button:not([hidden])")`));
        await targets.evaluate(at, `document.querySelector("#own .next-step button").click()`);
        await targets.evaluate(at, soon(`document.querySelector("#writer input:checked:not([value=none])")`));
        expect(await targets.evaluate(at, `document.querySelector("#writer").innerText`)).toContain(NEEDLE);
        const hub = `(() => { const input = document.querySelector("#hub"); input.value = "https://${NEEDLE}.example"; input.dispatchEvent(new Event("input", { bubbles: true })); input.dispatchEvent(new Event("change", { bubbles: true })); input.form?.requestSubmit(); })()`;
        await targets.evaluate(at, hub);
      } else {
        await targets.evaluate(at, soon(`document.querySelector("form textarea")`));
        const fill = `(() => {
          const form = document.querySelector("form:has(textarea)");
          form.querySelector("input[type=text], input:not([type])").value = "${NEEDLE}";
          form.querySelector("textarea").value = "${NEEDLE}";
          for (const field of form.querySelectorAll("input, textarea")) field.dispatchEvent(new Event("input", { bubbles: true }));
          form.requestSubmit();
        })()`;
        await targets.evaluate(at, fill);
        await targets.evaluate(at, soon(`document.body.innerText.includes("${NEEDLE}")`));
      }
      await new Promise((stored) => setTimeout(stored, 1_500));
    }
    const kept = `chrome.storage.local.get(null).then((all) => JSON.stringify(all))`;
    expect(await targets.evaluate("background.js", kept)).not.toContain(NEEDLE);
    const inMemory = `chrome.storage.session.get(null).then((all) => JSON.stringify(all))`;
    expect(await targets.evaluate("pages/models/index.html", inMemory), "it was chosen").toContain(NEEDLE);
  } finally {
    await launched.close();
  }
  expect(await filesWith(profile, "seen-by-normal-windows")).not.toEqual([]);
  expect(await filesWith(profile, NEEDLE)).toEqual([]);
  await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});
