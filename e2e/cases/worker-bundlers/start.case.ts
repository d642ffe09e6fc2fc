// Failures to start say why.

import type { Page } from "@playwright/test";
import { servePackage, servePlain } from "../../bundlers/plain.ts";
import { expect, test } from "../../fixtures.ts";
import type { Site } from "../../harness/server.ts";

test.use({ withExtension: false });

interface Failure {
  name: string;
  code: string;
  detail: string;
}

/** What goes wrong, and what the error's details must contain; ORIGIN stands for the site's. */
const FAILURES: readonly {
  what: string;
  options?: string;
  spoil: (site: Site) => void;
  /** Runs in the page before its scripts. */
  before?: () => void;
  detail: string[];
}[] = [
  {
    what: "no worker.js",
    spoil: (site) => answer(site, "/pith/worker.js", 404, "text/plain"),
    detail: ["ORIGIN/pith/worker.js: 404"],
  },
  {
    what: "a page in place of worker.js",
    spoil: (site) => answer(site, "/pith/worker.js", 200, "text/html"),
    detail: ["ORIGIN/pith/worker.js: 200 text/html"],
  },
  {
    what: "nothing at workerUrl",
    options: '{ workerUrl: "/elsewhere/worker.js" }',
    spoil: () => {},
    detail: ["ORIGIN/elsewhere/worker.js: 404"],
  },
  {
    what: "no module with the engine",
    spoil: (site) => {
      answer(site, "/pith/wasm/relaxed-simd.wasm", 404, "text/plain");
      answer(site, "/pith/wasm/simd128.wasm", 404, "text/plain");
    },
    detail: ["404", "ORIGIN/pith/wasm/relaxed-simd.wasm"],
  },
  {
    what: "a policy without the worker",
    spoil: (site) => site.send("content-security-policy", "script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'"),
    detail: ["worker-src", "ORIGIN/pith/worker.js"],
  },
  {
    what: "a policy without WebAssembly",
    spoil: (site) => site.send("content-security-policy", "script-src 'self'"),
    detail: ["WebAssembly", "Content Security Policy"],
  },
  {
    what: "a browser without module workers",
    spoil: () => {},
    before: () => {
      const Real = Worker;
      globalThis.Worker = class extends Real {
        constructor(url: string | URL) {
          super(url);
        }
      };
    },
    detail: ["SyntaxError", "import"],
  },
  {
    what: "a browser without workers",
    spoil: () => {},
    before: () => void delete (globalThis as { Worker?: unknown }).Worker,
    detail: ["no Worker"],
  },
  {
    what: "a bad URL",
    options: '{ workerUrl: "http://[" }',
    spoil: () => {},
    detail: ["http://["],
  },
];

for (const { what, options, spoil, before, detail } of FAILURES) {
  test(`${what} is an error that says so`, async ({ page, errors }) => {
    // The browser itself reports what it could not load or run.
    errors.expect(/./);
    const site = await servePlain("/pith/index.js", options);
    spoil(site);
    if (before) await page.addInitScript(before);
    await page.goto(site.url("/index.html"));
    const failure = await failureOf(page);
    expect(failure).toMatchObject({ name: "PithError", code: what === "a bad URL" ? "bad_argument" : "worker_start" });
    for (const part of detail) expect(failure.detail).toContain(part.replace("ORIGIN", site.origin));
    await site.close();
  });
}

test("no worker.js on another origin is an error that names it", async ({ page, errors }) => {
  errors.expect(/./);
  const cdn = await servePackage();
  const url = cdn.url("/none/worker.js");
  const site = await servePlain("/pith/index.js", `{ workerUrl: "${url}" }`);
  await page.goto(site.url("/index.html"));
  expect(await failureOf(page)).toMatchObject({ code: "worker_start", detail: expect.stringContaining(url) });
  await site.close();
  await cdn.close();
});

async function failureOf(page: Page): Promise<Failure> {
  const out = page.locator('#out[data-state="failed"]');
  await expect(out).toBeAttached();
  return JSON.parse((await out.textContent()) ?? "") as Failure;
}

function answer(site: Site, path: string, status: number, type: string): void {
  site.handle(path, (_, response) => void response.writeHead(status, { "content-type": type }).end("<p>Nothing</p>"));
}
