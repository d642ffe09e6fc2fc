// What a test gets. `import { test, expect } from '../../fixtures.ts'`.
//
//   page, context   a tab in a browser with the built extension (test.use({ withExtension: false }) for a plain browser);
//                   Chromium, or Firefox in the project of that name
//   site            a file server: e2e/pages under /, the reference set under /reference/, engine/tests/oracle under
//                   /oracle/, the built demo site under /demo/, the embedded model's folder under /models/; more by
//                   site.mount
//   faulty          a server on another host, for files whose connections break, stall and lie
//   extension       id, addresses of its pages, the toolbar button, code in its hidden targets
//   adapter         the WebGPU adapter, proven to exist
//   errors          console errors; any that errors.expect does not name fails the test
//
// The browser is shared by the tests of a file; test.use({ freshProfile: true }) gives each test its own.

import { type BrowserContext, test as base, expect, type Page, type TestInfo } from "@playwright/test";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { ConsoleErrors } from "./harness/console.ts";
import { type FaultyServer, serveFaulty } from "./harness/faulty-server.ts";
import { launchFirefox } from "./harness/firefox-extension.ts";
import { launch, type Adapter, type Running } from "./harness/launch.ts";
import { MINILM_FILE, ORACLE_DIR, ROOT, referenceDir } from "./harness/paths.ts";
import { serve, type Site } from "./harness/server.ts";

export interface Extension {
  readonly id: string;
  /** The address of a file in the extension. */
  url(path: string): string;
  /** Presses the toolbar button on this tab: grants activeTab and opens what the extension opens. */
  pressAction(page: Page): Promise<void>;
  /** Tells the extension of a click in its menu on this tab. */
  clickMenu(page: Page, info: object): Promise<void>;
  /** The id of the tab that shows this page. */
  tabId(page: Page): Promise<number>;
  /** Closes the real panel of a tab, as its own button does. */
  closePanel(tab: number): Promise<void>;
  /** Ends the document that hosts the worker, as a crash would. */
  endHost(): Promise<void>;
  /** Says yes beforehand to the browser's question whether the extension may connect to an origin. */
  allowHost(origin: string): Promise<void>;
  /** Evaluates an expression in a target that is no tab: "offscreen", "sidepanel", "background" in its address. */
  evaluate<T>(part: string, expression: string): Promise<T>;
  /** Addresses of the extension's targets that are no tabs. */
  targets(): Promise<string[]>;
}

interface TestFixtures {
  freshProfile: boolean;
  launched: Running;
  extension: Extension;
  adapter: Adapter;
  errors: ConsoleErrors;
  faulty: FaultyServer;
}

interface WorkerFixtures {
  withExtension: boolean;
  shared: { get(): Promise<Running> };
  site: Site;
}

const FORGET_HOSTS =
  "chrome.permissions.getAll().then(({ origins }) => origins.length === 0 || chrome.permissions.remove({ origins }))";

export const test = base.extend<TestFixtures, WorkerFixtures>({
  freshProfile: [false, { option: true }],
  withExtension: [true, { option: true, scope: "worker" }],

  shared: [
    async ({ withExtension, browserName }, use) => {
      let launched: Promise<Running> | undefined;
      await use({ get: () => (launched ??= start(browserName, withExtension)) });
      await (await launched)?.close();
    },
    { scope: "worker" },
  ],

  site: [
    async ({}, use) => {
      const site = await serve({
        "/": resolve(ROOT, "e2e/pages"),
        "/demo/": resolve(ROOT, "web/dist/demo"),
        "/models/": resolve(MINILM_FILE, ".."),
        "/oracle/": ORACLE_DIR,
        "/reference/": referenceDir(),
      });
      await use(site);
      await site.close();
    },
    { scope: "worker" },
  ],

  launched: async ({ shared, freshProfile, withExtension, browserName }, use, info) => {
    const launched = freshProfile ? await start(browserName, withExtension) : await shared.get();
    const { vendor, architecture } = launched.adapter ?? { vendor: "no WebGPU in", architecture: browserName };
    info.annotations.push({ type: "adapter", description: `${vendor} ${architecture}` });
    await launched.settleErrors?.();
    launched.errors.reset();
    await use(launched);
    await launched.settleErrors?.();
    const left = launched.errors.unexpected();
    if (left.length > 0 || info.status !== info.expectedStatus)
      await info.attach("console", { path: await writeLog(info, launched.errors.log) });
    if (freshProfile) await launched.close();
    else await closeTabs(launched);
    expect(left, "console errors that the test did not expect").toEqual([]);
  },

  context: async ({ launched }, use) => use(launched.context),
  adapter: async ({ launched, browserName }, use) => {
    if (!launched.adapter) throw new Error(`${browserName} has no WebGPU adapter`);
    await use(launched.adapter);
  },
  errors: async ({ launched }, use) => use(launched.errors),

  faulty: async ({}, use) => {
    const server = await serveFaulty();
    await use(server);
    await server.close();
  },

  page: async ({ context, site }, use) => {
    const page = await context.newPage();
    await use(page);
    // Other cases have the site too.
    site.plain();
  },

  extension: async ({ launched, browserName }, use) => {
    // The browser is shared: what an earlier test was granted would let this one read pages unasked.
    if (browserName === "firefox") await launched.targets.evaluate("background.js", FORGET_HOSTS);
    await use(extensionOf(launched));
  },
});

/** The extension of a browser. */
export function extensionOf(launched: Running): Extension {
  const id = launched.extensionId;
  if (!id) throw new Error("this test runs without the extension");
  return {
    id,
    url: (path) => `${launched.extensionUrl}${path.replace(/^\//, "")}`,
    pressAction: async (page) => {
      await page.bringToFront();
      await launched.targets.pressAction(page.url());
    },
    clickMenu: (page, info) => launched.targets.clickMenu(page.url(), info),
    tabId: (page) => launched.targets.tabId(page.url()),
    endHost: () => launched.targets.endHost(),
    allowHost: async (origin) => {
      // Firefox is started so that it does not ask.
      if (launched.context.browser()?.browserType().name() !== "firefox") await allowHost(launched.context, id, origin);
    },
    closePanel: (tab) => launched.targets.closePanel(tab),
    evaluate: (part, expression) => launched.targets.evaluate(part, expression),
    targets: () => launched.targets.urls(),
  };
}

function start(browserName: string, withExtension: boolean): Promise<Running> {
  if (browserName !== "firefox") return launch(withExtension ? {} : { extension: null });
  // It does not hinder other pages, and its console tells of errors.
  return launchFirefox();
}

/** Chromium's own question cannot be answered by a script: its page of extensions can grant what would be asked for. */
async function allowHost(context: BrowserContext, id: string, origin: string): Promise<void> {
  interface Chrome {
    developerPrivate: { addHostPermission(id: string, host: string): Promise<void> };
  }
  const page = await context.newPage();
  await page.goto("chrome://extensions");
  await page.evaluate(
    ([id, host]) => (globalThis as unknown as { chrome: Chrome }).chrome.developerPrivate.addHostPermission(id, host),
    [id, `${origin}/*`] as const,
  );
  await page.close();
}

/** What the browser wrote in a case that failed. */
async function writeLog(info: TestInfo, log: string): Promise<string> {
  const file = info.outputPath("console.txt");
  await writeFile(file, log);
  return file;
}

/** Leaves one blank tab: the browser ends when the last one closes. */
async function closeTabs(launched: Running): Promise<void> {
  const [keep, ...rest] = launched.context.pages();
  for (const page of rest) await page.close();
  await keep?.goto("about:blank");
}

export { expect };
