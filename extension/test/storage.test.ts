import { afterEach, describe, expect, it, vi } from "vitest";
import { remember } from "../src/models/origins.js";
import { readHub, writeHub } from "../src/models/hub.js";
import { changeRoles, readRoles, watchRoles } from "../src/roles.js";
import { readActions, writeActions } from "../src/actions.js";
import { forgetWithPrivateWindows } from "../src/storage.js";

type Changes = Record<string, unknown>;

/** An area of `chrome.storage`. */
class Area {
  readonly values: Record<string, unknown> = {};
  readonly #listeners = new Set<(changes: Changes) => void>();
  readonly onChanged = {
    addListener: (listener: (changes: Changes) => void) => void this.#listeners.add(listener),
    removeListener: (listener: (changes: Changes) => void) => void this.#listeners.delete(listener),
  };

  get = async (key: string | null): Promise<Changes> =>
    key === null ? { ...this.values } : key in this.values ? { [key]: structuredClone(this.values[key]) } : {};
  set = async (changes: Changes): Promise<void> => {
    Object.assign(this.values, structuredClone(changes));
    for (const listener of this.#listeners) listener(changes);
  };
  remove = async (keys: string | string[]): Promise<void> => {
    for (const key of [keys].flat()) delete this.values[key];
  };
}

const local = new Area();
const session = new Area();
const closed: (() => void)[] = [];

/** What a normal window, or a private one, has of the same profile. */
const browse = (isPrivate: boolean, windows: unknown[] = []): void =>
  void vi.stubGlobal("chrome", {
    extension: { inIncognitoContext: isPrivate },
    runtime: { getManifest: () => ({ version: "1" }) },
    storage: { local, session },
    windows: {
      onRemoved: { addListener: (listener: () => void) => closed.push(listener) },
      getAll: async () => windows,
    },
  });

afterEach(() => void vi.unstubAllGlobals());

const NEEDLE = "needle-of-a-private-window";
const writer = { type: "local", name: `${NEEDLE}.gguf`, title: NEEDLE, source: null, tier: null } as const;

describe("a private window", () => {
  it("writes nothing to the disk, and normal windows do not see what it chose", async () => {
    browse(false);
    await changeRoles({ writer: { ...writer, name: "normal.gguf", title: "Normal" } });
    await writeHub("https://hub.example");
    const before = JSON.stringify(local.values);

    browse(true);
    expect((await readRoles()).writer).toMatchObject({ title: "Normal" });
    const heard = new Promise((resolve) => watchRoles(resolve, new AbortController().signal));
    await changeRoles({ writer });
    await remember({ url: `https://${NEEDLE}.example/m.gguf` } as never, NEEDLE);
    await writeActions([{ id: "a", name: NEEDLE, prompt: NEEDLE, digit: null }]);
    await writeHub("");
    expect(await heard).toMatchObject({ writer: { title: NEEDLE } });
    expect((await readRoles()).writer).toMatchObject({ title: NEEDLE });
    expect(await readHub()).not.toBe("https://hub.example");
    expect(JSON.stringify(local.values)).toBe(before);

    browse(false);
    expect((await readRoles()).writer).toMatchObject({ title: "Normal" });
    expect(await readHub()).toBe("https://hub.example");
    expect(await readActions()).toEqual([]);
  });

  it("takes with it what it chose, when it is the last one", async () => {
    browse(true, [{}]);
    await changeRoles({ writer });
    forgetWithPrivateWindows(async () => {});
    closed.forEach((listener) => listener());
    await new Promise((wait) => setTimeout(wait));
    expect(JSON.stringify(session.values)).toContain(NEEDLE);
    browse(true);
    closed.forEach((listener) => listener());
    await new Promise((wait) => setTimeout(wait));
    expect(JSON.stringify(session.values)).not.toContain(NEEDLE);
  });
});
