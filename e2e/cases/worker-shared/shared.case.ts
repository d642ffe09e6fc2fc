// Tabs of one site share a worker: one of them runs it, and if that one goes, another one continues.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import { browserProcesses, cpuMsOf } from "../../harness/processes.ts";
import { parseRange, serve, type Site } from "../../harness/server.ts";
import { randomModel } from "../../helpers/random-model.ts";
import {
  endOfStory,
  loadStory,
  openTab,
  reachedText,
  startStory,
  type TabGlobal,
  tell,
  type Told,
  workersOf,
} from "../../helpers/shared-tabs.ts";
import { STORY } from "../../helpers/story.ts";
import type { authorize } from "../../../web/src/hub.ts";

test.use({ withExtension: false });

type Hub = { authorize: typeof authorize };

const SHORT = { maxTokens: 60 };
/** Seconds of work, far beyond the context: time to close a tab in the middle. */
const LONG = { maxTokens: 4_000, overflow: { type: "slide" as const } };
const SAMPLED = { ...LONG, sampling: { temperature: 0.8, topK: 40 } };

async function openTabs(context: BrowserContext, site: Site, count: number): Promise<Page[]> {
  const pages: Page[] = [];
  for (let at = 0; at < count; at += 1) pages.push(await openTab(context, site));
  return pages;
}

async function aloneText(context: BrowserContext, site: Site, options: object): Promise<string> {
  const page = await openTab(context, site, false);
  await loadStory(page);
  const { text } = await tell(page, options);
  await page.close();
  return text!;
}

/** Ends a tab while another one gets a text. */
async function endInTheMiddle(leader: Page, other: Page, end: (page: Page) => Promise<unknown>): Promise<Told> {
  await end(leader);
  const chars = await other.evaluate(() => (globalThis as unknown as TabGlobal).seen.length);
  const told = await endOfStory(other);
  expect(chars, "the text was whole before the tab ended").toBeLessThan(told.text!.length);
  return told;
}

test("five tabs have one worker, whose text is that of a worker alone", async ({ context, site }) => {
  const alone = await aloneText(context, site, SHORT);
  const pages = await openTabs(context, site, 5);
  expect(workersOf(pages)).toEqual([1, 0, 0, 0, 0]);
  const [first, second, third, fourth, fifth] = pages as [Page, Page, Page, Page, Page];
  await Promise.all([loadStory(first), loadStory(third)]);
  const names = await fifth.evaluate(async () =>
    (await (globalThis as unknown as TabGlobal).pith.status()).models.map(({ name }) => name),
  );
  expect(names).toEqual(["story"]);
  for (const { seen, text } of await Promise.all(pages.map((page) => tell(page, SHORT)))) {
    expect(text).toBe(alone);
    expect(seen).toBe(alone);
  }

  // A cancelled generation and a closed client end nothing of other tabs.
  await startStory(second, LONG);
  await reachedText(second, 10);
  await startStory(third, LONG);
  await startStory(fourth, SHORT);
  await second.evaluate(() => (globalThis as unknown as TabGlobal).pith.close());
  expect((await endOfStory(second)).error).toBe("closed");
  await reachedText(third, 10);
  await third.evaluate(() => void (globalThis as unknown as TabGlobal).stop());
  expect((await endOfStory(third)).error).toBe("AbortError");
  expect(await endOfStory(fourth)).toMatchObject({ error: null, text: alone, seen: alone });

  // A model that another tab has loaded too stays; the last one frees it.
  const unload = (page: Page): Promise<void> =>
    page.evaluate(() => (globalThis as unknown as TabGlobal).pith.unload("story"));
  await unload(first);
  expect((await tell(fifth, SHORT)).text).toBe(alone);
  await unload(third);
  expect((await tell(fifth, SHORT)).error).toBe("model_not_loaded");

  // The last client ends the worker.
  for (const page of [fifth, fourth, third, first])
    await page.evaluate(() => (globalThis as unknown as TabGlobal).pith.close());
  await expect.poll(() => workersOf(pages)).toEqual([0, 0, 0, 0, 0]);
});

for (const [how, end] of [
  ["closed", (page: Page) => page.close()],
  ["reloaded", (page: Page) => page.reload().then(() => undefined)],
  [
    "killed",
    async (page: Page) => {
      const devtools = await page.context().newCDPSession(page);
      await Promise.race([page.waitForEvent("crash"), devtools.send("Page.crash").catch(() => undefined)]);
    },
  ],
] as const) {
  test(
    `the tab that runs the worker is ${how} in the middle of another tab's text`,
    { tag: how === "killed" ? [] : "@long" },
    async ({ context, site }) => {
      const alone = await aloneText(context, site, LONG);
      const [first, second, third] = (await openTabs(context, site, 3)) as [Page, Page, Page];
      await loadStory(first);
      await startStory(second, LONG);
      await startStory(third, SAMPLED);
      await reachedText(second, 200);
      const told = await endInTheMiddle(first, second, end);
      expect(told).toMatchObject({ error: null, text: alone, seen: alone });
      const sampled = await endOfStory(third);
      expect(sampled).toMatchObject({ error: null, seen: sampled.text });
      expect(workersOf([second, third]).sort()).toEqual([0, 1]);
      // Without a seed one was drawn once, not once for each worker.
      const again = await tell(second, { ...SAMPLED, sampling: { ...SAMPLED.sampling, seed: sampled.seed! } });
      expect(again.text).toBe(sampled.text);
    },
  );
}

test("a tab that is busy or frozen keeps no other waiting", { tag: "@long" }, async ({ context, site }, info) => {
  const alone = await aloneText(context, site, SHORT);
  const [first, second, third] = (await openTabs(context, site, 3)) as [Page, Page, Page];
  await loadStory(first);
  const busy = first.evaluate(() => {
    const end_ms = performance.now() + 6_000;
    while (performance.now() < end_ms);
  });
  const start_ms = Date.now();
  expect((await tell(second, SHORT)).text).toBe(alone);
  const beside_ms = Date.now() - start_ms;
  info.annotations.push({ type: "ms beside a busy tab", description: String(beside_ms) });
  expect(beside_ms).toBeLessThan(5_000);
  await busy;

  await startStory(third, LONG);
  await reachedText(third, 50);
  for (const page of [third, first]) await setState(page, "frozen");
  expect((await tell(second, SHORT)).text).toBe(alone);
  for (const page of [third, first]) await setState(page, "active");
  const thawed = await endOfStory(third);
  expect(thawed).toMatchObject({ error: null, seen: thawed.text });
  expect(workersOf([first, second, third])).toEqual([1, 0, 0]);
});

async function setState(page: Page, state: "frozen" | "active"): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setWebLifecycleState", { state });
}

/** The process of a tab: the one that computes when the tab does. */
async function rendererOf(page: Page): Promise<number> {
  const used = () => browserProcesses().flatMap(({ pid, type }) => (type === "renderer" ? [[pid, cpuMsOf(pid)]] : []));
  const before = new Map(used() as [number, number][]);
  await page.evaluate(() => {
    const end_ms = performance.now() + 1_000;
    while (performance.now() < end_ms);
  });
  const more = used().map(([pid, ms]) => [pid!, ms! - (before.get(pid!) ?? 0)] as const);
  return more.sort(([, a], [, b]) => b - a)[0]![0];
}

test(
  "the process that runs the worker stops: another tab takes over, and keeps it",
  { tag: "@long" },
  async ({ context, site }, info) => {
    test.skip(process.platform !== "linux", "skipped: only Linux tells the processes");
    const alone = await aloneText(context, site, SHORT);
    const [first, second, third] = (await openTabs(context, site, 3)) as [Page, Page, Page];
    await loadStory(first);
    const pid = await rendererOf(first);
    process.kill(pid, "SIGSTOP");
    const start_ms = Date.now();
    const texts = await Promise.all([tell(second, SHORT), tell(third, SHORT)]).finally(() =>
      process.kill(pid, "SIGCONT"),
    );
    const over_ms = Date.now() - start_ms;
    info.annotations.push({ type: "ms until another tab has taken over", description: String(over_ms) });
    expect(texts.map(({ text }) => text)).toEqual([alone, alone]);
    expect((await tell(first, SHORT)).text).toBe(alone);
    await expect.poll(() => workersOf([first])).toEqual([0]);
    expect(workersOf([second, third]).sort()).toEqual([0, 1]);
  },
);

test("a site with a service worker", async ({ context, site }) => {
  site.handle(
    "/sw.js",
    (_, response) =>
      void response
        .setHeader("content-type", "text/javascript")
        .end(
          "onfetch = (event) => event.respondWith(fetch(event.request)); onactivate = (event) => event.waitUntil(clients.claim());",
        ),
  );
  site.handle("/tab", (_, response) => void response.setHeader("content-type", "text/html").end("<title>tab</title>"));
  const page = await context.newPage();
  await page.goto(site.url("/tab"));
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/sw.js");
    await navigator.serviceWorker.ready;
  });
  await page.close();
  const [first, second] = (await openTabs(context, site, 2)) as [Page, Page];
  expect(await second.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await loadStory(second);
  const whole = await tell(second, LONG);
  await startStory(second, LONG);
  await reachedText(second, 100);
  expect(await endInTheMiddle(first, second, (page) => page.close())).toMatchObject({
    error: null,
    text: whole.text,
    seen: whole.text,
  });
  await second.evaluate(async () => {
    for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
  });
});

test(
  "a model that is another one when it is loaded again is an error that says so",
  { tag: "@long" },
  async ({ context, site }) => {
    const served = { file: resolve(ROOT, "engine/tests/reference", STORY) };
    site.handle("/model.gguf", async (_, response) => {
      if (!served.file) return void response.writeHead(404).end();
      response.setHeader("content-type", "application/octet-stream").end(await readFile(served.file));
    });
    const load = (page: Page): Promise<unknown> =>
      page.evaluate(() => {
        const { pith } = globalThis as unknown as TabGlobal;
        return pith.load("story", { packaged: "/model.gguf" }, { backend: "cpu" }).then(() => null);
      });
    const [first, second, third] = (await openTabs(context, site, 3)) as [Page, Page, Page];
    await load(first);
    await startStory(second, LONG);
    await reachedText(second, 100);
    served.file = resolve(ROOT, "engine/tests/reference/real/babyllama-tok105-q4_0.gguf");
    await first.close();
    expect((await endOfStory(second)).error).toBe("replay_differs");

    served.file = "";
    const [leader, other] = workersOf([second])[0] === 1 ? [second, third] : [third, second];
    await leader.close();
    expect((await tell(other, SHORT)).error).toBe("http_status");
    expect((await tell(other, SHORT)).error).toBe("model_not_loaded");
  },
);

test(
  "a download goes on, with the token of its tab, after the tab that runs the worker is closed",
  { tag: "@long" },
  async ({ context, site }) => {
    const bytes = await readFile(randomModel("modest"));
    let sent_bytes = 0;
    const hub = await serve({});
    hub.handle("/m.gguf", async ({ method, headers }, response) => {
      const allow = {
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "authorization, range, if-range",
      };
      const expose = { "access-control-expose-headers": "content-range, etag, accept-ranges", etag: '"1"' };
      if (method === "OPTIONS") return void response.writeHead(204, allow).end();
      if (headers.authorization !== "Bearer secret") return void response.writeHead(401, allow).end();
      const [first, last] = parseRange(headers.range, bytes.length) as [number, number];
      const range = { "content-range": `bytes ${first}-${last}/${bytes.length}`, "content-length": last + 1 - first };
      response.writeHead(206, { ...allow, ...expose, ...range, "accept-ranges": "bytes" });
      for (let at = first; at <= last && !response.destroyed; at += 1 << 16) {
        const piece = bytes.subarray(at, Math.min(at + (1 << 16), last + 1));
        sent_bytes += piece.length;
        response.write(piece);
        await sleep(40);
      }
      response.end();
    });
    const [first, second] = (await openTabs(context, site, 2)) as [Page, Page];
    // The next worker hears of the token from the tab that gave it.
    await second.evaluate(async (hub) => {
      const { authorize } = (await import(/* @vite-ignore */ `${location.origin}/client/dist/hub.js`)) as Hub;
      await authorize((globalThis as unknown as TabGlobal).pith, "secret", { hub });
    }, hub.origin);
    const stored = second.evaluate(
      (url) => (globalThis as unknown as TabGlobal).pith.download({ url }),
      hub.url("/m.gguf"),
    );
    await expect.poll(() => sent_bytes, { timeout: 60_000 }).toBeGreaterThan(5 << 20);
    await first.close();
    expect(sent_bytes).toBeLessThan(bytes.length);
    expect(await stored).toMatchObject({ whole: true, totalBytes: bytes.length });
    // What was stored is not downloaded again; of each connection at most what was on its way.
    expect(sent_bytes).toBeLessThan(bytes.length + (6 << 20));
    await hub.close();
  },
);
