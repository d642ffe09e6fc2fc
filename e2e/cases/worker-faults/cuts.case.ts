// Connections that are cut at any byte are taken up again where they were, and what arrives is the file.

import { expect, test } from "../../fixtures.ts";
import {
  bytesOf,
  download,
  expectLittleRefetched,
  expectWhole,
  FAILED_REQUEST,
  MIB,
  openStore,
  places,
} from "../../helpers/downloads.ts";
import type { Prompt } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

for (const [store, size, count, faults] of [
  // At a speed at which the browser passes on what came before the cut. Else it throws that away, and every other
  // attempt is in vain and followed by a wait.
  ["opfs", "medium", 100, { bytesPerS: 16 * MIB }],
  ["opfs", "modest", 8, {}],
  ["indexedDb", "modest", 8, {}],
  ["memory", "modest", 8, {}],
] as const) {
  test(
    `a download that is cut ${count} times (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty, errors }, info) => {
      test.slow();
      errors.expect(FAILED_REQUEST);
      const bytes = bytesOf(size);
      const cuts = places(count, bytes.length, 1);
      const file = faulty.serve("/model.gguf", bytes, { ...faults, cuts: [...cuts] });
      const worker = await openStore(page, site, store);
      const { model } = await worker.get("stored", download(file));
      expect(file.faults.cuts, "cuts that did not happen").toEqual([]);
      expect(await expectWhole(worker, file)).toEqual(model);
      await expectLittleRefetched(info, "cut", store, file, count);

      // It is a model, and asking for it again asks nobody.
      const { length: asked } = file.requests;
      await worker.get("stored", download(file));
      const source = { type: "stored", name: model.name } as const;
      await worker.get("loaded", { type: "load", name: "a", source, backend: "cpu", contextTokens: 64 });
      const prompt: Prompt = { type: "ids", ids: [1] };
      expect((await worker.get("text", { type: "generate", model: "a", prompt, maxTokens: 2 })).ids).toHaveLength(2);
      expect(file.requests.length).toBe(asked);
    },
  );
}
