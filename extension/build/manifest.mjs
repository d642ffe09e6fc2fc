// Merges manifest/base.json with a browser's overlay.
import { readFileSync } from "node:fs";

const read = (name) => JSON.parse(readFileSync(new URL(`../../manifest/${name}.json`, import.meta.url), "utf8"));
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Objects merge key by key, lists add up (sorted), anything else is replaced by the overlay's. */
export function merge(base, overlay) {
  if (Array.isArray(base) && Array.isArray(overlay)) return [...new Set([...base, ...overlay])].sort();
  if (!isObject(base) || !isObject(overlay)) return overlay;
  const merged = { ...base };
  for (const [key, value] of Object.entries(overlay)) merged[key] = key in base ? merge(base[key], value) : value;
  return merged;
}

/** The manifest of "chrome" or "firefox". */
export function manifestFor(browser, version) {
  return { ...merge(read("base"), read(browser)), version };
}
