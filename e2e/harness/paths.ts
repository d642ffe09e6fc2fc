// Where things lie in the repository.

import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The built extension. */
export const EXTENSION_DIR = resolve(ROOT, "extension/dist/chrome");
export const FIREFOX_EXTENSION_DIR = resolve(ROOT, "extension/dist/firefox");

/** The embedded default model, as `cargo xtask setup` leaves it. */
export const MINILM_FILE = resolve(ROOT, ".cache/models/minilm-q8_0.gguf");
/** A small model that follows instructions, where setup could fetch it. */
export const SMOLLM2_FILE = resolve(ROOT, ".cache/models/smollm2-135m-instruct-q4_1.gguf");

/** Further goldens, of what the reference set does not have. */
export const ORACLE_DIR = resolve(ROOT, "engine/tests/oracle");

/** The reference set: the folder that PITH_REFERENCE names, else the core set in the repository. */
export function referenceDir(): string {
  const folder = resolve(process.env.PITH_REFERENCE ?? resolve(ROOT, "engine/tests/reference"));
  if (!existsSync(resolve(folder, "manifest.json"))) throw new Error(`${folder} has no manifest.json`);
  return folder;
}
