import type { Settings } from "./wire.js";

const KEY = "settings";
export const BACKENDS = ["auto", "webgpu", "webgl2", "cpu"] as const;
export const LENGTHS = ["short", "medium", "long"] as const;
const DEFAULTS: Settings = { backend: "auto", length: "medium" };

/** What the user chose, with defaults for what they did not, or for values that an older version stored. */
export async function readSettings(): Promise<Settings> {
  const stored = (await chrome.storage.local.get(KEY))[KEY] as Partial<Settings> | undefined;
  return {
    backend: BACKENDS.find((one) => one === stored?.backend) ?? DEFAULTS.backend,
    length: LENGTHS.find((one) => one === stored?.length) ?? DEFAULTS.length,
  };
}

export const writeSettings = (settings: Settings): Promise<void> => chrome.storage.local.set({ [KEY]: settings });
