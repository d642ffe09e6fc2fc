// The page stays at hand while a model loads, reads and writes: no task of its main thread takes over 50 ms.

import { basename, dirname, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import { randomModel } from "../../helpers/random-model.ts";

test.use({ withExtension: false });
test.slow();

/** Where other work has the processors, a task may take long because it waits: one quiet try of these proves it. */
const TRIES = 3;

interface Seen {
  tokens: number;
  /** Milliseconds of each long task, by what went on. */
  long: { doing: string; time_ms: number }[];
}

/** Loads 58 MB, reads a prompt and writes 8 tokens, and gives the long tasks meanwhile; and proves that one would be seen. */
async function watch(page: Page, url: string, backend: string, prompt: number): Promise<Seen> {
  return page.evaluate(
    async ([url, backend, prompt]) => {
      const { Pith } = (await import("/pith/index.js" as string)) as typeof import("../../../web/src/index.ts");
      const pith = await Pith.open();
      let doing = "load";
      const long: Seen["long"] = [];
      const observer = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) long.push({ doing, time_ms: duration });
      });
      observer.observe({ type: "longtask" });
      const told = () => new Promise((resolve) => setTimeout(resolve, 100));
      await pith.load("a", { packaged: url }, { backend: backend as "cpu" });
      await told();
      doing = "generate";
      const ids = Array.from({ length: prompt }, (_, at) => (at * 7919) % 8192);
      const { stats } = await pith.generate("a", { type: "ids", ids }, { maxTokens: 8 }).result;
      await told();
      pith.close();
      const found = [...long];
      doing = "check";
      await new Promise<void>((resolve) =>
        setTimeout(() => {
          for (const end = performance.now() + 120; performance.now() < end;);
          resolve();
        }),
      );
      await told();
      if (!long.some(({ doing }) => doing === "check")) throw new Error("long tasks are not reported here");
      return { tokens: stats.tokens, long: found };
    },
    [url, backend, prompt] as const,
  );
}

for (const [backend, prompt] of [
  ["cpu", 512],
  ["webgpu", 64],
] as const) {
  test(
    `the main thread is free while a model works on ${backend}`,
    { tag: backend === "cpu" ? [] : "@long" },
    async ({ page, site }) => {
      // All cores work.
      if (backend === "cpu") site.isolate();
      const model = randomModel("large");
      site.mount("/pith/", resolve(ROOT, "web/dist"));
      site.mount("/random/", dirname(model));
      const seen: Seen[] = [];
      for (let at = 0; at < TRIES; at += 1) {
        await page.goto(site.url("/empty/index.html"));
        const now = await watch(page, site.url(`/random/${basename(model)}`), backend, prompt);
        expect(now.tokens).toBe(8);
        seen.push(now);
        if (now.long.length === 0) break;
      }
      expect(seen.at(-1)?.long, JSON.stringify(seen)).toEqual([]);
    },
  );
}
