// Shapes of kernels are tried on a loaded model: on request and when the worker is idle. Texts stay the same, what is asked meanwhile
// comes first, and the result is kept for later loads.

import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import type { Site } from "../../harness/server.ts";
import { STORY, teller } from "../../helpers/story.ts";

test.use({ withExtension: false, freshProfile: true });
test.describe.configure({ timeout: 240_000 });

const NOTE = "pith-checked.json";
const tell = teller(12);

const load = async (worker: RawWorker, site: Site, backend: "cpu" | "webgpu"): Promise<void> => {
  const source = { type: "packaged", url: site.url(`/reference/${STORY}`) } as const;
  await worker.get("loaded", { type: "load", name: "story", source, backend, contextTokens: 256 });
};

/** Whether the shapes for a model are known, by what the worker keeps of each GPU. */
async function known(page: Page): Promise<boolean[]> {
  const text = await page.evaluate(async (note) => {
    const root = await navigator.storage.getDirectory();
    try {
      return await (await (await root.getFileHandle(note)).getFile()).text();
    } catch {
      // It is being written, or is not there yet.
      return "";
    }
  }, NOTE);
  return [...text.matchAll(/"is_tuned":(true|false)/g)].map(([, is]) => is === "true");
}

test("on request: every shape is timed, and the text stays the same", { tag: "@long" }, async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  await load(worker, site, "webgpu");
  const before = await worker.get("text", tell());
  expect(await known(page)).toEqual([false]);
  const { report } = await worker.get("tuned", { type: "tune", model: "story" });
  expect(report.choices.map(({ kernel }) => kernel)).toEqual(["linear", "linear", "attend"]);
  expect(report.copyBytesPerS).toBeGreaterThan(0);
  for (const { shapes, fastest } of report.choices) {
    expect(shapes[fastest]).toBeDefined();
    // A shape that the browser does not compile has no times.
    for (const { times } of shapes) expect(times.length).toBeGreaterThan(0);
    for (const { times } of shapes) for (const { ms, tokens } of times) expect(Math.min(ms, tokens)).toBeGreaterThan(0);
  }
  expect((await worker.get("text", tell())).text).toBe(before.text);
  expect(await known(page)).toEqual([true]);
  await load(worker, site, "webgpu");
  expect((await worker.get("text", tell())).text).toBe(before.text);
});

test("cancelled between two measurements", { tag: "@long" }, async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  await load(worker, site, "webgpu");
  await worker.cancelAt("tune");
  const { error } = await worker.ask({ type: "tune", model: "story" });
  expect(error?.code).toBe("cancelled");
  expect((await worker.get("text", tell())).text).not.toBe("");
  expect(await known(page)).toEqual([false]);
});

test("where kernels have one shape there is nothing to try", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  await load(worker, site, "cpu");
  const { report } = await worker.get("tuned", { type: "tune", model: "story" });
  expect(report).toMatchObject({ choices: [], copyBytesPerS: null });
});

test("by itself when it is idle, a part after each request", { tag: "@long" }, async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  await load(worker, site, "webgpu");
  const before = await worker.get("text", tell());
  // An emulated GPU is not tuned unless that is said.
  await worker.get("ok", { type: "configure", settings: { tune: true } });
  await worker.get("ok", { type: "unload", name: "story" });
  await load(worker, site, "webgpu");
  let texts = 0;
  await expect
    .poll(
      async () => {
        texts += 1;
        expect((await worker.get("text", tell())).text).toBe(before.text);
        return known(page);
      },
      { timeout: 200_000, intervals: [2_500] },
    )
    .toEqual([true]);
  // It took more than one rest.
  expect(texts).toBeGreaterThan(1);
});
