// A file that cannot be used gives its own code, and the next one loads.

import { expect, test } from "../../fixtures.ts";
import { type FileSpec, RawWorker } from "../../harness/raw-worker.ts";

test.use({ withExtension: false });

/** Behind the key stand its type (4 bytes) and the length (8 bytes) of "llama". */
const unknownArchitecture = { behind: "general.architecture", skip_bytes: 12, bytes: [...Buffer.from("llxma")] };
/** Behind the name stand the number of dimensions (4 bytes) and two of them (8 bytes each). */
const unknownType = { behind: "token_embd.weight", skip_bytes: 20, bytes: [255] };

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
    ["another architecture", { url, patch: unknownArchitecture }, "unsupported_architecture"],
    ["another number format", { url, patch: unknownType }, "unsupported_type"],
    ["another version", { url, patch: { behind: "GGUF", skip_bytes: 0, bytes: [9] } }, "unsupported_version"],
    ["a damaged header", { url, patch: { behind: "general.architecture", skip_bytes: 0, bytes: [99] } }, "bad_file"],
  ];
  for (const [name, file, code] of files) {
    const { error } = await worker.ask(load, file);
    expect(error?.code, `${name}: ${error?.detail}`).toBe(code);
  }
  const { model } = await worker.get("loaded", load, { url });
  expect(model).toMatchObject({ architecture: "llama", encoder: false, vocab: 512, backend: { kind: "cpu" } });
});
