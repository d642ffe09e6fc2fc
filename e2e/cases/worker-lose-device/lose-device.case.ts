// The GPU process dies: the next request gets a new device, and the model is loaded again without asking the page.

import { expect, test } from "../../fixtures.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import type { Prompt, Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

test("after a lost device the model works again", async ({ page, site, context, errors }) => {
  const worker = await RawWorker.open(page, site);
  const source = { type: "packaged", url: site.url("/reference/models/llama32.F16.gguf") } as const;
  await worker.get("loaded", { type: "load", name: "a", source, backend: "webgpu" });
  const prompt: Prompt = { type: "ids", ids: [506, 293, 266] };
  const generate: Request = { type: "generate", model: "a", prompt, maxTokens: 8 };
  const before = await worker.get("text", generate);

  errors.expect(/./);
  const crash = await context.newPage();
  await crash.goto("chrome://gpucrash").catch(() => {});
  // A request that runs while the device is dying may fail with it; none may hang, and soon one succeeds.
  await expect
    .poll(
      async () => {
        const { error, result } = await worker.ask(generate);
        return error?.code ?? (result?.type === "text" ? result.ids.join() : "nothing");
      },
      { timeout: 60_000 },
    )
    .toBe(before.ids.join());
  const { models } = await worker.get("status", { type: "status" });
  expect(models).toMatchObject([{ name: "a", backend: { kind: "webgpu" } }]);
});
