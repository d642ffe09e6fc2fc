// The harness itself: a case elsewhere is only as good as what this one proves.

import { writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { test as plain } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { launch } from "../../harness/launch.ts";
import { usesRealGpu } from "../../harness/chromium.ts";

test.use({ withExtension: false });

test("a WebGPU adapter exists, in the page and in a worker", async ({ page, site, adapter }) => {
  if (!usesRealGpu) expect(adapter.architecture).toBe("swiftshader");
  site.handle(
    "/blank",
    (_, response) => void response.setHeader("content-type", "text/html").end("<title>blank</title>"),
  );
  await page.goto(site.url("/blank"));
  const inWorker = await page.evaluate(async () => {
    const code = "navigator.gpu.requestAdapter().then((found) => postMessage(found.info.architecture))";
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    return new Promise((resolve) => (worker.onmessage = (event) => resolve(event.data)));
  });
  expect(inWorker).toBe(adapter.architecture);
});

test("the server sends types, ranges and nothing outside its folders", async ({ site }, info) => {
  await writeFile(info.outputPath("ten.wasm"), "0123456789");
  site.mount("/own/", info.outputPath());
  const whole = await fetch(site.url("/own/ten.wasm"));
  expect(whole.headers.get("content-type")).toBe("application/wasm");
  expect(await whole.text()).toBe("0123456789");
  const part = await fetch(site.url("/own/ten.wasm"), { headers: { range: "bytes=2-4" } });
  expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([206, "bytes 2-4/10", "234"]);
  const tail = await fetch(site.url("/own/ten.wasm"), { headers: { range: "bytes=-3" } });
  expect(await tail.text()).toBe("789");
  expect((await fetch(site.url("/own/ten.wasm"), { headers: { range: "bytes=10-" } })).status).toBe(416);
  expect((await fetch(`${site.origin}/own/..%2f..%2fpackage.json`)).status).toBe(404);
  const manifest = await fetch(site.url("/reference/manifest.json"));
  expect(manifest.headers.get("content-type")).toContain("application/json");
});

test("console errors of a page are collected", async ({ page, errors }) => {
  await page.evaluate(() => console.error("page complains"));
  await page.evaluate(() =>
    setTimeout(() => {
      throw new Error("page throws");
    }),
  );
  await expect.poll(() => errors.unexpected().length).toBe(2);
  errors.expect(/page (complains|throws)/);
  expect(errors.unexpected()).toEqual([]);
});

plain("the toolbar button grants activeTab; hidden targets are heard and reached", async () => {
  const launched = await launch({ extension: resolve(dirname(fileURLToPath(import.meta.url)), "extension") });
  try {
    const page = await launched.context.newPage();
    const url = "http://probe.test/";
    await launched.context.route(url, (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>Pressed</title>" }),
    );
    await page.goto(url);
    await launched.targets.pressAction(url);
    const title = await launched.targets.evaluate("offscreen.html", "document.title");
    expect(title).toBe("Offscreen");
    expect(await launched.targets.evaluate("background.js", "globalThis.title")).toBe("Pressed");
    await expect.poll(() => launched.errors.unexpected().join("\n")).toMatch(/offscreen complains[^]*worker complains/);
  } finally {
    await launched.close();
  }
});
