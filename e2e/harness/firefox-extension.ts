// Firefox with the built extension, and Playwright on it: pages, the extension's own too, are driven as in Chromium,
// through WebDriver BiDi. What no page can do, such as pressing the toolbar button, goes through Marionette.

import { readFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { firefox as playwright, type Page } from "@playwright/test";
import { ConsoleErrors } from "./console.ts";
import { Firefox } from "./firefox.ts";
import { closeWelcome, type Running } from "./launch.ts";
import { FIREFOX_EXTENSION_DIR } from "./paths.ts";
import { until, type ExtensionTargets } from "./targets.ts";

const PARENT = readFileSync(new URL("firefox-parent.mjs", import.meta.url), "utf8").replaceAll("export ", "");

const TIMEOUT_MS = 30_000;

/** Calls a function of firefox-parent.mjs. */
const call = <T>(firefox: Firefox, name: string, ...values: unknown[]): Promise<T> =>
  firefox.inBrowser<T>(`${PARENT}\nreturn ${name}(...arguments);`, values);

/** What hosts the worker in Chromium has another name here: the background page does. */
const partHere = (part: string): string =>
  /^(background|offscreen)\b/.test(part) ? "_generated_background_page.html" : part;

export class FirefoxTargets implements ExtensionTargets {
  readonly #firefox: Firefox;
  readonly #id: string;

  constructor(firefox: Firefox, id: string) {
    this.#firefox = firefox;
    this.#id = id;
  }

  pressAction(url: string): Promise<void> {
    return call(this.#firefox, "pressAction", this.#id, url);
  }

  /** Presses Alt, Shift and a letter in a tab, as a person would. */
  pressShortcut(url: string, letter: string): Promise<void> {
    return call(this.#firefox, "pressShortcut", url, letter);
  }

  clickMenu(url: string, info: object): Promise<void> {
    return call(this.#firefox, "clickMenu", this.#id, url, info);
  }

  tabId(url: string): Promise<number> {
    return call(this.#firefox, "tabId", this.#id, url);
  }

  closePanel(tab: number): Promise<void> {
    return call(this.#firefox, "closePanel", this.#id, tab);
  }

  urls(): Promise<string[]> {
    return call(this.#firefox, "targets", this.#id);
  }

  /** Opens a tab in front, at an address where Playwright may not look. */
  openTab(url: string): Promise<void> {
    return call(this.#firefox, "openTab", url);
  }

  /** Leads the tab that shows one address to another. */
  goTo(from: string, to: string): Promise<void> {
    return call(this.#firefox, "goTo", from, to);
  }

  closeTab(url: string): Promise<void> {
    return call(this.#firefox, "closeTab", url);
  }

  async hangWorker(): Promise<void> {
    throw new Error("nothing can be run in a worker of an extension from outside");
  }

  endHost(): Promise<void> {
    return call(this.#firefox, "endBackground", this.#id);
  }

  /** Finds an update of the extension. */
  offerUpdate(): Promise<void> {
    return call(this.#firefox, "offerUpdate", this.#id);
  }

  /** Whether that update was taken. */
  isUpdated(): Promise<boolean> {
    return call(this.#firefox, "isUpdated");
  }

  async evaluate<T>(part: string, expression: string): Promise<T> {
    const here = partHere(part);
    if (here !== part) await call(this.#firefox, "wakeBackground", this.#id);
    let answer: { value: T; error?: string } | null = null;
    const ask = async (): Promise<boolean> => {
      answer = await call<{ value: T } | null>(this.#firefox, "evaluate", this.#id, here, expression);
      return answer !== null;
    };
    await until(ask, TIMEOUT_MS, `no document of the extension contains "${here}"`);
    const { value, error } = answer as unknown as { value: T; error?: string };
    if (error) throw new Error(error);
    return value;
  }
}

/** What Firefox says of a call to the browser whose panel was closed meanwhile: nobody waits for its answer. */
const CLOSED = /^Promise (resolved|rejected) after context unloaded/;

/** Starts Firefox, installs the extension, or that of a folder, until it closes, and gives Playwright its pages. */
export async function launchFirefox({ welcome = false, folder = FIREFOX_EXTENSION_DIR } = {}): Promise<Running> {
  const firefox = await Firefox.launch({
    preferences: (profile) => ({
      // Only parts of the file system can be read by the processes of pages: they load modules from here.
      "security.sandbox.content.read_path_whitelist": `${profile}/`,
      // Playwright hears of no downloads of an ESR: tests look into a folder.
      "browser.download.folderList": 2,
      "browser.download.dir": `${profile}/downloads`,
      // Playwright has no way to ask an ESR for this.
      "ui.prefersReducedMotion": 1,
      // Nobody can press the browser's own buttons: a request for a host is granted at the click that makes it.
      "extensions.webextOptionalPermissionPrompts": false,
      // Processes and pages in advance, and frames that nobody sees, take time from other cases. Playwright would take
      // the page that is held for the next tab for a tab, and wait for it to close.
      "dom.ipc.processPrelaunch.enabled": false,
      "browser.newtab.preload": false,
      "layout.frame_rate": 20,
    }),
    args: ["--remote-debugging-port=0", "--remote-allow-system-access"],
  });
  try {
    await call(firefox, "prepareBidi", firefox.profile);
    const context = await playwright.launchPersistentContext("", {
      channel: "moz-firefox",
      executablePath: await standIn(firefox),
      headless: true,
    });
    await context.addInitScript(insertText);
    const id = await firefox.install(folder);
    await call(firefox, "watchErrors", id);
    const extensionUrl = await call<string>(firefox, "baseUrl", id);
    // The page that the extension opens by itself may be there before its address is known here.
    for (const page of context.pages()) leaveBeforeClosing(page, extensionUrl);
    context.on("page", (page) => leaveBeforeClosing(page, extensionUrl));
    const errors = new ConsoleErrors(context, null);
    if (!welcome) await closeWelcome(context);
    return {
      context,
      targets: new FirefoxTargets(firefox, id),
      errors,
      adapter: null,
      extensionId: id,
      extensionUrl,
      downloads: join(firefox.profile, "downloads"),
      settleErrors: async () => {
        const found = await call<string[]>(firefox, "takeErrors");
        for (const text of found.filter((one) => !CLOSED.test(one))) errors.add(text, "");
      },
      close: async () => {
        const closed = context.waitForEvent("close");
        await firefox.close();
        await closed;
      },
    };
  } catch (error) {
    await firefox.close();
    throw error;
  }
}

/** What Playwright types with, which it does not find in pages of extensions. */
function insertText(): void {
  Object.assign(window, {
    __pw_bidiInsertText: (text: string) => void document.execCommand("insertText", false, text),
  });
}

/** Firefox does not tell that a page of an extension was closed: such a page leaves the extension first. */
function leaveBeforeClosing(page: Page, extensionUrl: string): void {
  const close = page.close.bind(page);
  page.close = async (options) => {
    if (page.url().startsWith(extensionUrl)) await page.goto("about:blank");
    await close(options);
  };
}

/** A program that Playwright starts instead of Firefox, which runs already: it says where that listens, and ends with it. */
async function standIn(firefox: Firefox): Promise<string> {
  const path = join(firefox.profile, "stand-in");
  // Playwright adds the path of sessions in general; behind the question mark it is not looked at.
  const lines = [
    "#!/bin/sh",
    `echo "WebDriver BiDi listening on ${firefox.bidiUrl}?" >&2`,
    `while kill -0 ${firefox.pid}; do sleep 0.1; done 2>/dev/null`,
  ];
  await writeFile(path, `${lines.join("\n")}\n`);
  await chmod(path, 0o755);
  return path;
}
