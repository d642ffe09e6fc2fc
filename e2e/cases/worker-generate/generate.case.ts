// A story, token by token: what it costs, how it stops, how it is sampled.

import { expect, test } from "../../fixtures.ts";
import { STORY, teller } from "../../helpers/story.ts";
import { RawWorker } from "../../harness/raw-worker.ts";

test.use({ withExtension: false });

const tell = teller(60);

for (const backend of ["cpu", "webgpu", "webgl2"] as const) {
  test(`a story on ${backend}`, async ({ page, site }, info) => {
    const worker = await RawWorker.open(page, site);
    const source = { type: "packaged", url: site.url(`/reference/${STORY}`) } as const;
    const { model } = await worker.get("loaded", { type: "load", name: "story", source, backend });
    expect(model.backend.kind).toBe(backend);
    expect(model.backend.reason).toMatch(/\.$/);

    const { events, result } = await worker.ask(tell());
    if (result?.type !== "text") throw new Error("no text");
    const streamed = events.flatMap((event) => (event.type === "token" ? [event.text] : [])).join("");
    expect(streamed).toBe(result.text);
    expect(result.text).toContain("there was a little girl named Lily");
    expect(result).toMatchObject({ finishReason: "length", stats: { tokens: 60, objectsCreated: 0 } });
    expect(result.stats.heapGrowthBytes).toBeLessThan(1 << 20);
    if (backend !== "cpu") {
      expect(result.stats.submitsPerToken).toBeGreaterThan(0);
      expect(result.stats.submitsPerToken).toBeLessThanOrEqual(1);
      expect(result.stats.queueWritesPerToken).toBeLessThanOrEqual(2);
      expect(result.stats.dispatchesPerToken).toBeGreaterThan(0);
      // A texel each, of WebGL2; the first token is not counted as one.
      expect(result.stats.readbackBytesPerToken).toBeLessThanOrEqual(17);
      // On the GPU no weight stays here: what grew is the transfer buffers and the tokenizer.
      expect(model.heapGrowthBytes).toBeLessThan(64 << 20);
    }
    info.annotations.push({ type: "stats", description: JSON.stringify(result.stats) });

    const stopped = await worker.get("text", tell({ stop: ["little girl"] }));
    expect(stopped.finishReason).toBe("stop");
    expect(result.text.startsWith(stopped.text)).toBe(true);
    expect(stopped.text.endsWith("there was a ")).toBe(true);

    const sampling = { temperature: 1, topK: 40, seed: 7 };
    const once = await worker.get("text", tell({ sampling }));
    const again = await worker.get("text", tell({ sampling }));
    const other = await worker.get("text", tell({ sampling: { ...sampling, seed: 8 } }));
    expect(again.text).toBe(once.text);
    expect(other.text).not.toBe(once.text);

    const none = await worker.get("text", tell({ maxTokens: 0 }));
    expect(none).toMatchObject({ text: "", ids: [], finishReason: "length" });
  });
}

test("a context that is full ends the story; a prompt that does not fit is refused", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const source = { type: "packaged", url: site.url(`/reference/${STORY}`) } as const;
  const load = { type: "load", name: "story", source, backend: "cpu", contextTokens: 32 } as const;
  const { model } = await worker.get("loaded", load);
  const full = await worker.get("text", tell({ maxTokens: 500 }));
  expect(full.finishReason).toBe("context");
  expect(full.stats.promptTokens + full.ids.length).toBe(model.contextTokens + 1);
  const ids = Array.from({ length: model.contextTokens + 1 }, () => 300);
  expect((await worker.ask(tell({ prompt: { type: "ids", ids } }))).error?.code).toBe("context_full");
  expect((await worker.ask(tell({ prompt: { type: "ids", ids: [] } }))).error?.code).toBe("bad_message");
  expect((await worker.ask(tell({ prompt: { type: "ids", ids: [99_999] } }))).error?.code).toBe("bad_message");
  expect((await worker.ask({ type: "embed", model: "story", texts: ["a"] })).error?.code).toBe("wrong_model");
  expect((await worker.ask(tell({ sampling: { temperature: -1 } }))).error?.code).toBe("bad_message");
});
