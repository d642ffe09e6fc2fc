// A file that cannot be used gives its own code, and the next one loads.

import { expect, test } from "../../fixtures.ts";
import { type FileSpec, RawWorker } from "../../harness/raw-worker.ts";

test.use({ withExtension: false });

test("files that are no usable model are refused by name", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const url = site.url("/reference/models/llama32.F16.gguf");
  const load = { type: "load", name: "model", source: { type: "file" }, backend: "cpu" } as const;
  const files: [name: string, file: FileSpec, code: string][] = [
    ["an empty file", { text: "" }, "truncated"],
    ["a web page", { text: "<!doctype html><title>Sign in</title>" }, "not_gguf"],
    ["four bytes", { text: "GGUF" }, "truncated"],
    ["a cut header", { url, length_bytes: 1000 }, "truncated"],
    ["cut weights", { url, length_bytes: 600_000 }, "truncated"],
    ["another architecture", { url: site.url("/reference/models/qwen3moe.F16.gguf") }, "unsupported_architecture"],
    ["another number format", { url: site.url("/reference/formats/fmt-IQ1_S.gguf") }, "unsupported_type"],
  ];
  for (const [name, file, code] of files) {
    const { error } = await worker.ask(load, file);
    expect(error?.code, `${name}: ${error?.detail}`).toBe(code);
  }
  const { model } = await worker.get("loaded", load, { url });
  expect(model).toMatchObject({ architecture: "llama", encoder: false, vocab: 512, backend: { kind: "cpu" } });
});
