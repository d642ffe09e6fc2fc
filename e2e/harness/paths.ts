// Where things lie in the repository.

import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The built extension. */
export const EXTENSION_DIR = resolve(ROOT, "extension/dist/chrome");

/** The embedded default model, as `cargo xtask setup` leaves it. */
export const MINILM_FILE = resolve(ROOT, ".cache/models/minilm-q8_0.gguf");

/** Further goldens, of what the reference set does not have. */
export const ORACLE_DIR = resolve(ROOT, "engine/tests/oracle");

/** The reference set: PITH_REFERENCE, else beside the repository, else the core set inside it. */
export function referenceDir(): string {
  const candidates = [
    process.env.PITH_REFERENCE,
    resolve(ROOT, "../shared/reference"),
    resolve(ROOT, "engine/tests/reference"),
  ].filter((path): path is string => Boolean(path));
  const found = candidates.find((path) => existsSync(resolve(path, "manifest.json")));
  if (!found) throw new Error(`No reference set in any of: ${candidates.join(", ")}`);
  return found;
}
