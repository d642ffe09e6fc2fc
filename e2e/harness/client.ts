// A page with the built client, for programs that measure it as a site would use it.

import type { BrowserContext, Page } from "@playwright/test";
import { resolve } from "node:path";
import type { Pith } from "../../web/src/index.ts";
import { ROOT } from "./paths.ts";
import { serve, type Site } from "./server.ts";

/** What such a page has. */
export interface ClientGlobals {
  Client: typeof Pith;
}

/** A server with the client, a blank page, and more folders under their prefixes. */
export async function serveClient(mounts: Record<string, string>): Promise<Site> {
  const site = await serve({ ...mounts, "/client/": resolve(ROOT, "web") });
  const blank = "<!doctype html><title>blank</title>";
  site.handle("/blank", (_, response) => void response.setHeader("content-type", "text/html").end(blank));
  return site;
}

/** The page, with the client as `globalThis.Client`. */
export async function openClient(context: BrowserContext, site: Site): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site.url("/blank"));
  // tsx names functions by a helper that pages do not have.
  await page.evaluate("globalThis.__name = (f) => f");
  await page.evaluate(async () => {
    const { Pith } = (await import(
      /* @vite-ignore */ `${location.origin}/client/dist/index.js`
    )) as typeof import("../../web/src/index.ts");
    Object.assign(globalThis, { Client: Pith } satisfies ClientGlobals);
  });
  return page;
}
