// A page in a real browser that has the client, and runs one model at a time.

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Firefox } from "../harness/firefox.ts";
import { launch } from "../harness/launch.ts";
import { ROOT } from "../harness/paths.ts";
import { serve } from "../harness/server.ts";

type Backend = "cpu" | "webgpu" | "webgl2";
type BrowserName = "chromium" | "firefox";

/** What the page answers: a value, or an error of the catalogue. */
type Answer<T> = { value: T; error?: undefined } | { value?: undefined; error: { code: string; detail: string } };

/** A browser with a page. */
interface Opened {
  call(name: string, values: unknown[]): Promise<Answer<unknown>>;
  close(): Promise<void>;
}

/**
 * Opens a browser with a page that has the client; `mounts` maps prefixes to folders of models. The calls are those of
 * page.mjs; `load` takes the path of a file that was mounted. With `simd128` the worker takes the module without relaxed SIMD.
 */
export async function openSubject(
  backend: Backend,
  browser: BrowserName,
  mounts: Record<string, string>,
  simd128 = false,
): Promise<Opened> {
  const here = resolve(fileURLToPath(import.meta.url), "..");
  const site = await serve({ "/pith/": resolve(ROOT, "web/dist"), "/conformance/": here, ...mounts });
  site.handle("/", (_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      '<!doctype html><title>conformance</title><script type="module" src="/conformance/page.mjs"></script>',
    );
  });
  const hash = new URLSearchParams({ backend, ...(simd128 && { simd128: "" }) });
  const { call, close } = await (browser === "firefox" ? inFirefox : inChromium)(site.url(`/#${hash}`));
  return {
    call,
    close: async () => {
      await close();
      await site.close();
    },
  };
}

async function inChromium(url: string): Promise<Opened> {
  const browser = await launch({ extension: null });
  const page = await browser.context.newPage();
  await page.goto(url);
  await page.waitForFunction("globalThis.conformance !== undefined", undefined, { timeout: 60_000 });
  type Calls = Record<string, (...values: unknown[]) => Promise<Answer<unknown>>>;
  return {
    /** By name: a closure here would carry the compiler's helpers with it. */
    call: (name, values) =>
      page.evaluate(([n, v]) => (globalThis as unknown as { conformance: Calls }).conformance[n]!(...v), [
        name,
        values,
      ] as const),
    close: async () => {
      const errors = browser.errors.unexpected();
      await browser.close();
      if (errors.length > 0) throw new Error(`the browser's console has errors:\n${errors.join("\n")}`);
    },
  };
}

async function inFirefox(url: string): Promise<Opened> {
  const firefox = await Firefox.launch();
  await firefox.goto(url);
  return { call: (name, values) => firefox.call("conformance", name, values), close: () => firefox.close() };
}
