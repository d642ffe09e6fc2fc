import { readRoles } from "./roles.js";
import { readStored, writeStored } from "./storage.js";
import type { Settings } from "./wire.js";

const KEY = "settings";
export const BACKENDS = ["auto", "webgpu", "webgl2", "cpu"] as const;
export const LENGTHS = ["short", "medium", "long"] as const;
export const MARKINGS = ["mark", "scroll", "nothing"] as const;

export const KINDS = ["keyPoints", "tldr", "teaser", "headline", "simple"] as const;
export const UNSUPPORTED = ["replace", "drop", "mark"] as const;
/** Languages to write in. */
export const LANGUAGES = ["ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "zh"] as const;

/** What the user chose. */
export interface Choices extends Settings {
  /** What a click on a sentence does to the page. */
  marking: (typeof MARKINGS)[number];
  /** A button appears at selections, on pages that were read. */
  offer: boolean;
}

/** What is stored here; who writes, and which encoder reads, is chosen on the models page. */
type Stored = Omit<Choices, "writer" | "encoder">;

const DEFAULTS: Stored = {
  backend: "auto",
  length: "medium",
  marking: "mark",
  offer: false,
  kind: "keyPoints",
  targetLanguage: null,
  unsupported: "replace",
};

/** What the user chose, with defaults for what they did not, or for values that an older version stored. */
export async function readSettings(): Promise<Choices> {
  const [roles, found] = await Promise.all([readRoles(), readStored(KEY)]);
  const stored = found as Partial<Choices> | undefined;
  return {
    ...roles,
    backend: BACKENDS.find((one) => one === stored?.backend) ?? DEFAULTS.backend,
    length: LENGTHS.find((one) => one === stored?.length) ?? DEFAULTS.length,
    marking: MARKINGS.find((one) => one === stored?.marking) ?? DEFAULTS.marking,
    offer: stored?.offer === true,
    kind: KINDS.find((one) => one === stored?.kind) ?? DEFAULTS.kind,
    targetLanguage: LANGUAGES.find((one) => one === stored?.targetLanguage) ?? DEFAULTS.targetLanguage,
    unsupported: UNSUPPORTED.find((one) => one === stored?.unsupported) ?? DEFAULTS.unsupported,
  };
}

export function writeSettings({ writer: _writer, encoder: _encoder, ...settings }: Choices): Promise<void> {
  return writeStored(KEY, settings);
}
