// Models leave the memory when none is used, and come back by themselves. Looking does not count as use.

import { expect, test } from "../../fixtures.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import type { Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

for (const backend of ["cpu", "webgl2"] as const) {
  test(
    `an idle model leaves the memory and comes back (${backend})`,
    { tag: backend === "cpu" ? [] : "@long" },
    async ({ page, site }) => {
      const worker = await RawWorker.open(page, site);
      const url = site.url("/reference/models/llama32.F16.gguf");
      await worker.get("ok", { type: "configure", settings: { idleMs: 400 } });
      const { model } = await worker.get("loaded", { type: "load", name: "a", source: { type: "url", url }, backend });
      const generate: Request = { type: "generate", model: "a", prompt: { type: "ids", ids: [1, 2, 3] }, maxTokens: 4 };
      const before = await worker.get("text", generate);
      const report = async () => (await worker.get("memory", { type: "memory" })).report;
      // Asked all the time, which must not keep it there.
      await expect.poll(async () => (await report()).idle, { intervals: [100] }).toEqual(["a"]);
      expect((await report()).models).toEqual([]);
      expect((await worker.get("status", { type: "status" })).models).toEqual([]);

      expect((await worker.get("text", generate)).ids).toEqual(before.ids);
      expect((await report()).models).toMatchObject([{ name: "a", kind: model.backend.kind }]);
      await worker.get("ok", { type: "configure", settings: { idleMs: 0 } });
      await page.waitForTimeout(700);
      expect((await report()).idle).toEqual([]);
    },
  );
}
