import type { Settings } from "./wire.js";

const KEY = "settings";
export const BACKENDS = ["auto", "webgpu", "webgl2", "cpu"] as const;
export const LENGTHS = ["short", "medium", "long"] as const;
export const MARKINGS = ["mark", "scroll", "nothing"] as const;

/** What the user chose. */
export interface Choices extends Settings {
  /** What a click on a sentence does to the page. */
  marking: (typeof MARKINGS)[number];
  /** A button appears at selections, on pages that were read. */
  offer: boolean;
}

const DEFAULTS: Choices = { backend: "auto", length: "medium", marking: "mark", offer: false };

/** What the user chose, with defaults for what they did not, or for values that an older version stored. */
export async function readSettings(): Promise<Choices> {
  const stored = (await chrome.storage.local.get(KEY))[KEY] as Partial<Choices> | undefined;
  return {
    backend: BACKENDS.find((one) => one === stored?.backend) ?? DEFAULTS.backend,
    length: LENGTHS.find((one) => one === stored?.length) ?? DEFAULTS.length,
    marking: MARKINGS.find((one) => one === stored?.marking) ?? DEFAULTS.marking,
    offer: stored?.offer === true,
  };
}

export const writeSettings = (settings: Choices): Promise<void> => chrome.storage.local.set({ [KEY]: settings });
