import type { Answer } from "@pith/web";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readState } from "../src/history/store.js";
import { LocalWriter } from "../src/host/writers/local.js";

vi.mock("../src/history/store.js", () => ({ readState: vi.fn() }));

const ask = vi.fn<(page: unknown, question: string, options: object) => Promise<Answer>>(() =>
  Promise.resolve({} as Answer),
);
const engine = {
  load: () => Promise.resolve({ title: null, instead: null }),
  verdicts: { tierOf: () => Promise.resolve("write") },
  pith: () => Promise.resolve({ ask }),
};
const role = { type: "local", name: "m.gguf", title: "Small", source: null, tier: null } as const;
const writer = new LocalWriter(engine as never, role, {} as never);
const hooks = { signal: new AbortController().signal, onProgress: () => undefined, onDraft: () => undefined };
const page = { title: "", blocks: [] };
const wish = { history: [], unsupported: "replace", variant: 2 } as const;

describe("what a model has read of a page", () => {
  beforeEach(() => ask.mockClear());

  it.each([
    { isOn: true, isPrivate: false, keepPrompt: true },
    { isOn: true, isPrivate: true, keepPrompt: false },
    { isOn: false, isPrivate: false, keepPrompt: false },
  ])("stays on the disk where the history is on and the window is not private: %o", async (one) => {
    vi.mocked(readState).mockResolvedValue({ isOn: one.isOn, dropped: 0 });
    await writer.ask(page, "Why?", { ...wish, history: [], isPrivate: one.isPrivate }, hooks);
    const options = ask.mock.calls[0]?.[2];
    expect(options).toMatchObject({ variant: 2, writer: "language", keepPrompt: one.keepPrompt });
    // The client refuses what it does not know.
    expect(options).not.toHaveProperty("isPrivate");
  });

  it("does not stay where nobody knows whether the history is on", async () => {
    vi.mocked(readState).mockRejectedValue(new Error("no database"));
    await writer.ask(page, "Why?", { ...wish, history: [], isPrivate: false }, hooks);
    expect(ask.mock.calls[0]?.[2]).toMatchObject({ keepPrompt: false });
  });
});
