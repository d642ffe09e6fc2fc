// The client of a worker that was ended from outside, which no event tells of.

import { resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import { bytesOf, MIB } from "../../helpers/downloads.ts";

test.use({ withExtension: false });

test("what is open fails at once when the worker is terminated", async ({ page, site, faulty }) => {
  const file = faulty.serve("/model.gguf", bytesOf("modest"), { stalls: Array<number>(9).fill(2 * MIB) });
  site.mount("/pith/", resolve(ROOT, "web/dist"));
  site.handle(
    "/client",
    (_, response) => void response.setHeader("content-type", "text/html").end("<title>client</title>"),
  );
  await page.goto(site.url("/client"));
  const outcome = await page.evaluate(
    async ([client, url]) => {
      const { Pith } = (await import(client)) as typeof import("../../../web/src/index.ts");
      const worker = new Worker("/pith/worker.js", { type: "module" });
      const pith = await Pith.open({ endpoint: worker });
      const begun = new Promise<void>((begun) => {
        void pith.download({ url }, { onProgress: ({ done }) => done > 0 && begun() }).catch(() => {});
      });
      await begun;
      const asked = pith.download({ url });
      const start_ms = performance.now();
      worker.terminate();
      const code: unknown = await asked.catch((error: { code: string }) => error.code);
      return { code, took_ms: performance.now() - start_ms, alive: pith.alive };
    },
    ["/pith/index.js", file.url] as const,
  );
  expect(outcome).toMatchObject({ code: "worker_died", alive: false });
  expect(outcome.took_ms).toBeLessThan(1000);
});
