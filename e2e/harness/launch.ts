// Starts Chromium with the extension in a profile of its own, and proves that a WebGPU adapter is there.

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type BrowserContext, type Page } from "@playwright/test";
import { chromiumArgs, findChromium } from "./chromium.ts";
import { ConsoleErrors } from "./console.ts";
import { EXTENSION_DIR } from "./paths.ts";
import { serve } from "./server.ts";
import { Targets, type ExtensionTargets } from "./targets.ts";

/** What the browser says about its WebGPU adapter. */
export interface Adapter {
  vendor: string;
  architecture: string;
  description: string;
  features: string[];
}

/** A browser, whichever it is. */
export interface Running {
  context: BrowserContext;
  targets: ExtensionTargets;
  errors: ConsoleErrors;
  /** Null where the browser has no WebGPU. */
  adapter: Adapter | null;
  /** Id of the loaded extension; null without one. */
  extensionId: string | null;
  /** What the addresses of its files begin with. */
  extensionUrl: string | null;
  /** Where files are saved, where Playwright hears of no downloads. */
  downloads?: string;
  /** Adds errors that have not been told by themselves. */
  settleErrors?(): Promise<void>;
  close(): Promise<void>;
}

/** Chromium. */
export interface Launched extends Running {
  targets: Targets;
  adapter: Adapter;
}

export interface LaunchOptions {
  /** Folder of an unpacked extension, or null for a plain browser. */
  extension?: string | null;
  /** A profile folder to keep; a fresh one, deleted at the end, where absent. */
  profile?: string;
  /** More for the command line. */
  args?: string[];
  /** Leaves the page open that the extension opens after its installation. */
  welcome?: boolean;
}

/** The page that the extension opens after its installation. */
const WELCOME = "pages/welcome/index.html";
const WELCOME_MS_MAX = 5_000;

/** Starts a browser. Throws where the extension is not built, or where no WebGPU adapter exists. */
export async function launch(options: LaunchOptions = {}): Promise<Launched> {
  const extension = options.extension === undefined ? EXTENSION_DIR : options.extension;
  if (extension && !existsSync(join(extension, "manifest.json")))
    throw new Error(`no built extension in ${extension}: run \`cargo xtask build\``);
  // A profile that has seen it, and an extension without one, open none.
  const opensWelcome =
    extension !== null &&
    existsSync(join(extension, WELCOME)) &&
    !(options.profile && existsSync(join(options.profile, "Default")));
  const profile = options.profile ?? (await mkdtemp(join(tmpdir(), "pith-profile-")));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    // Playwright's own headless flag starts the old shell, which has no extensions: the new mode is in the arguments.
    headless: false,
    args: [...chromiumArgs(extension ?? undefined), ...(options.args ?? [])],
    ignoreDefaultArgs: ["--disable-extensions"],
  });
  const close = async () => {
    await context.close();
    if (!options.profile) await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    const targets = await Targets.open(context);
    const errors = new ConsoleErrors(context, targets);
    const extensionId = extension ? await readExtensionId(context) : null;
    if (extensionId) targets.setExtension(extensionId);
    const extensionUrl = extensionId && `chrome-extension://${extensionId}/`;
    if (opensWelcome && options.welcome !== true) await closeWelcome(context);
    const adapter = await readAdapter(context);
    return { context, targets, errors, adapter, extensionId, extensionUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Closes the page that the extension opens after its installation, as a user would before anything else. */
export async function closeWelcome(context: BrowserContext): Promise<void> {
  const isWelcome = (page: Page): boolean => page.url().endsWith(`/${WELCOME}`);
  const end_ms = Date.now() + WELCOME_MS_MAX;
  while (!context.pages().some(isWelcome) && Date.now() < end_ms) await sleep(50);
  const page = context.pages().find(isWelcome);
  if (!page) return;
  if (context.pages().length === 1) await context.newPage();
  await page.waitForLoadState();
  // In Firefox the tab's first navigation may be reported late, and then interrupts the one that leaves the page.
  await page.close().catch(() => page.close());
}

/** Ends the browser as a crash or a power cut would: nothing gets the chance to close. */
export async function killBrowser({ context }: Launched): Promise<void> {
  const browser = await context.browser()!.newBrowserCDPSession();
  const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
  const ended = context.waitForEvent("close");
  process.kill(processInfo.find(({ type }) => type === "browser")!.id, "SIGKILL");
  await ended;
}

async function readExtensionId(context: BrowserContext): Promise<string> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker", { timeout: 60_000 }));
  return new URL(worker.url()).host;
}

/** Asks a page for the adapter. A run without one would be green on nothing, so that is an error. */
async function readAdapter(context: BrowserContext): Promise<Adapter> {
  const site = await serve({});
  site.handle("/", (_, response) => void response.setHeader("content-type", "text/html").end("<title>adapter</title>"));
  const page = await context.newPage();
  try {
    await page.goto(site.url("/"));
    const adapter = await page.evaluate(async () => {
      interface Gpu {
        requestAdapter(): Promise<{
          info: { vendor: string; architecture: string; description: string };
          features: Iterable<string>;
        } | null>;
      }
      const gpu = (navigator as { gpu?: Gpu }).gpu;
      const found = await gpu?.requestAdapter();
      if (!found) return null;
      const { vendor, architecture, description } = found.info;
      return { vendor, architecture, description, features: [...found.features] };
    });
    if (!adapter) throw new Error(`no WebGPU adapter in ${findChromium()}: the GPU tests cannot run`);
    return adapter;
  } finally {
    await page.close();
    await site.close();
  }
}
