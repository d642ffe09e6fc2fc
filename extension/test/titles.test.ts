// What stored models are called.
import type { StoredModel } from "@pith/web";
import { knownModels } from "@pith/web/models";
import { describe, expect, it, vi } from "vitest";
import type { PageModel } from "../src/models/link.js";
import { isEncoder, titleOfStored } from "../src/models/names.js";
import { readsAsName, titleOfFile } from "../src/models/title.js";

vi.mock("../src/ui/words.js", () => ({}));

describe("what a file calls itself", () => {
  it.each([
    ["SmolLM2 135M Instruct", "a"],
    ["Llama 3.2 1B Instruct", "a"],
    ["Qwen3 0.6B", "a"],
    ["google_gemma-3-270m-it", "a"],
    ["Mistral 7B Instruct v0.3", "a"],
    ["DeepSeek R1 Distill Qwen 1.5B", "a"],
    ["Phi 3 Mini 4k Instruct", "a"],
    ["Gemma 3n E2B It", "a"],
    ["Ministral 3 3B Instruct 2512", "a"],
    ["all-MiniLM-L6-v2", "a"],
    ["The SmolLM2 and Qwen3 merge", "SmolLM2-Qwen3-merge-Q8_0"],
  ])("%s is a name", (title, file) => expect(readsAsName(title, file)).toBe(true));

  it.each([
    "Smollm2 135M 8k Lc100K Mix1 Ep2",
    "checkpoint-1200",
    "Llama epoch3",
    "/home/me/models/llama",
    "C:\\models\\llama",
    "model",
    "tmp",
    "9f8b1c2d3e4f5a6b7c8d",
    "1234",
    "",
    "x".repeat(80),
  ])("%s is none", (title) => expect(readsAsName(title, "a")).toBe(false));

  it("is not what a run was called: its file is named instead", () => {
    const name = "SmolLM2-135M-Instruct.Q4_1-0123456789abcdef.gguf";
    expect(titleOfFile("Smollm2 135M 8k Lc100K Mix1 Ep2", name)).toBe("SmolLM2-135M-Instruct.Q4_1");
    expect(titleOfFile(null, "big-00001-of-00003.gguf")).toBe("big");
    expect(titleOfFile(" Qwen3 0.6B ", "a.gguf")).toBe("Qwen3 0.6B");
  });
});

describe("a stored file", () => {
  const [known] = knownModels;
  const stored = (change: Partial<StoredModel>): StoredModel => ({
    name: "file.gguf",
    title: "Smollm2 135M 8k Lc100K Mix1 Ep2",
    url: null,
    bytes: 1,
    totalBytes: 1,
    files: 1,
    whole: true,
    sha256: [null],
    pinned: false,
    lastUsedMs: 0,
    ...change,
  });
  const model = { host: { work: {} }, hub: "https://hub.example", origins: {} } as unknown as PageModel;

  it("is known by its hash, whatever it is called and wherever it came from", () => {
    const one = stored({ sha256: [known!.sha256!] });
    expect(titleOfStored(one, model)).toBe(known!.name);
    expect(isEncoder(one, model)).toBe(false);
    const [other] = known!.otherFiles!;
    expect(titleOfStored(stored({ sha256: [other!.sha256] }), model)).toBe(`${known!.name} (${other!.format})`);
  });

  it("is not known by the hash of one of its parts", () => {
    expect(titleOfStored(stored({ sha256: [known!.sha256!, null], files: 2 }), model)).toBe("file");
    expect(isEncoder(stored({}), model)).toBe(null);
  });
});
