// Two tabs want the same model: it is downloaded once, by whichever tab is there to do it.

import { expect, test } from "../../fixtures.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import {
  bytesOf,
  configure,
  download,
  expectLittleRefetched,
  expectWhole,
  load,
  MIB,
  openStore,
} from "../../helpers/downloads.ts";
import type { Prompt } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

const prompt: Prompt = { type: "ids", ids: [1] };
const generate = { type: "generate", model: "a", prompt, maxTokens: 2 } as const;

for (const store of ["opfs", "indexedDb"] as const) {
  test(
    `both tabs have the model, and it was sent once (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, context, site, faulty }, info) => {
      const file = faulty.serve("/model.gguf", bytesOf("modest"), { bytesPerS: 4 * MIB });
      const first = await openStore(page, site, store);
      const second = await RawWorker.open(await context.newPage(), site);
      await configure(second, { store });
      const one = await first.start(load(file));
      await first.reached(one, "download", MIB);
      const two = await second.start(load(file));
      await second.reached(two, "elsewhere");
      for (const [worker, id] of [
        [first, one],
        [second, two],
      ] as const) {
        expect((await worker.ended(id)).error).toBeUndefined();
        expect((await worker.get("text", generate)).ids).toHaveLength(2);
        await expectWhole(worker, file);
      }
      const { events } = await second.ended(two);
      expect(events.filter((event) => event.type === "progress" && event.stage === "download")).toEqual([]);
      // A piece of the header at most.
      expect(file.refetched_bytes).toBeLessThanOrEqual(MIB);
      await expectLittleRefetched(info, "second tab", store, file, 1);
    },
  );

  test(
    `the tab that downloads is closed (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, context, site, faulty }, info) => {
      const file = faulty.serve("/model.gguf", bytesOf("modest"), { bytesPerS: 4 * MIB });
      const first = await openStore(page, site, store);
      const second = await RawWorker.open(await context.newPage(), site);
      await configure(second, { store });
      const one = await first.start(download(file));
      await first.reached(one, "download", MIB);
      const two = await second.start(download(file));
      await second.reached(two, "elsewhere");
      await first.reached(one, "download", 5 * MIB);
      await page.close();
      const { error, events } = await second.ended(two);
      expect(error).toBeUndefined();
      // It goes on from where the first one was.
      const [start] = events.flatMap((event) =>
        event.type === "progress" && event.stage === "download" ? [event] : [],
      );
      expect(start!.done).toBeGreaterThan(MIB);
      await expectWhole(second, file);
      await expectLittleRefetched(info, "first of two tabs closed", store, file, 1);
    },
  );
}
