import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const ROOT = resolve(fileURLToPath(import.meta.url), "../../../..");
/** What is written by hand. */
export const SITE = resolve(ROOT, "docs/site");
/** All pages, also those that are written by scripts. */
export const STAGE = resolve(ROOT, ".cache/docs/site");
export const SNIPPETS = resolve(ROOT, ".cache/docs/snippets");
export const API = resolve(ROOT, ".cache/docs/api");
export const OUT = resolve(ROOT, "dist/docs");
