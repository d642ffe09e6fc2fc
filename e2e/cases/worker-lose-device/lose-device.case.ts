// The GPU's process dies: what runs and what comes next gets a new device, and the model with its adapters is loaded again
// without asking the page.

import { expect, test } from "../../fixtures.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import type { Prompt, Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });
// Kernels are compiled for the self-check and twice for the model: 30 s on an idle machine, minutes on a busy one.
test.setTimeout(480_000);

for (const backend of ["webgpu", "webgl2"] as const) {
  test(`after a lost device the model and its adapter work again (${backend})`, async ({
    page,
    site,
    context,
    errors,
  }) => {
    // While kernels are compiled it says nothing.
    const worker = await RawWorker.open(page, site, 240_000);
    const file = { url: site.url("/oracle/models/llama-tied.F16.gguf") };
    const load: Request = { type: "load", name: "a", source: { type: "file" }, backend };
    const { model } = await worker.get("loaded", load, file);
    const source = { type: "url", url: site.url("/oracle/lora/all-f32.gguf") } as const;
    await worker.get("loaded", { type: "loadLora", model: "a", name: "b", source });
    const prompt: Prompt = { type: "ids", ids: [1, 5, 33, 8, 6] };
    const plain: Request = { type: "generate", model: "a", prompt, maxTokens: 8 };
    const generate: Request = { ...plain, lora: { name: "b" } };
    const before = await worker.get("text", generate);
    const without = await worker.get("text", plain);
    expect(without.ids).not.toEqual(before.ids);

    errors.expect(/./);
    const browser = await context.browser()!.newBrowserCDPSession();
    const running = await worker.start(generate);
    await browser.send("Browser.crashGpuProcess");
    // What runs goes on, and what comes while the device is dying too.
    const next = await worker.start(generate);
    for (const id of [running, next]) {
      const { error, result } = await worker.ended(id);
      expect(error).toBeUndefined();
      expect(result?.type === "text" && result.ids).toEqual(before.ids);
    }
    const { models } = await worker.get("status", { type: "status" });
    expect(models).toMatchObject([{ name: "a", loras: ["b"], backend: { kind: backend } }]);
    expect(models[0]!.loadMs, "of the second time").not.toBe(model.loadMs);
    expect((await worker.get("text", plain)).ids).toEqual(without.ids);
  });
}
