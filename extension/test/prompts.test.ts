import { afterEach, describe, expect, it, vi } from "vitest";
import { forgetPrompts } from "../src/history/prompts.js";

/** A file system whose folder cannot be removed at first. */
function folder(...errors: string[]) {
  const removeEntry = vi.fn(() => {
    const name = errors.shift();
    return name ? Promise.reject(new DOMException("no", name)) : Promise.resolve();
  });
  vi.stubGlobal("navigator", { storage: { getDirectory: () => Promise.resolve({ removeEntry }) } });
  return removeEntry;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("prompts on the disk", () => {
  it("go with their folder", async () => {
    const remove = folder();
    await forgetPrompts();
    expect(remove).toHaveBeenCalledExactlyOnceWith("pith-prompts", { recursive: true });
  });

  it.each(["NotFoundError", "SecurityError"])("were never there: %s", async (name) => {
    folder(name);
    await forgetPrompts();
  });

  it("are deleted once nobody writes them any more", async () => {
    vi.useFakeTimers();
    const remove = folder("NoModificationAllowedError", "InvalidStateError");
    const done = forgetPrompts();
    await vi.runAllTimersAsync();
    await done;
    expect(remove).toHaveBeenCalledTimes(3);
  });

  it("stay with an error that the page can show", async () => {
    vi.useFakeTimers();
    folder(...Array.from({ length: 9 }, () => "NoModificationAllowedError"));
    const failed = expect(forgetPrompts()).rejects.toMatchObject({ code: "history_unavailable" });
    await vi.runAllTimersAsync();
    await failed;
  });
});
