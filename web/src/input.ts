import { clientErrors } from "./errors.js";
import type { ModelSource } from "./protocol.gen.js";

/**
 * A file shipped with the site and read in place; a URL to download into the store once, with the expected SHA-256
 * (for a split model one per file, in order); or a file in the store, by its name.
 */
type Remote = { packaged: string | URL } | { url: string | URL; sha256?: string | string[] } | { stored: string };

/**
 * A file picked by the user, or a remote one. For a split model (`NAME-00001-of-00003.gguf`): all picked files in any
 * order, or the URL of any of them.
 */
export type ModelInput = File | Iterable<File> | Remote;

/** A LoRA adapter in GGUF format, and its name in requests. */
export type LoraInput = { name: string } & ({ file: File } | Remote);

/** The source as the protocol has it, and the files that are sent with it. */
export function toSource(input: ModelInput): { source: ModelSource; files?: File[] } {
  if (typeof input === "object" && input !== null) {
    if ("stored" in input) return { source: { type: "stored", name: input.stored } };
    if ("packaged" in input) return { source: { type: "packaged", url: toUrl(input.packaged) } };
    if ("url" in input) {
      const { url, sha256 } = input;
      return { source: { type: "url", url: toUrl(url), ...(sha256 && { sha256: [sha256].flat() }) } };
    }
    const files = Symbol.iterator in input ? [...input] : [input];
    if (files.length && files.every((file) => file instanceof File)) return { source: { type: "file" }, files };
  }
  throw clientErrors.argument(`not a File, { packaged }, { url } or { stored }: ${String(input)}`);
}

/** Resolves a relative URL against the page, because the worker's base URL differs. */
export function toUrl(url: string | URL): string {
  // `new URL` would take anything else for a relative URL.
  if (typeof url === "string" || url instanceof URL) {
    try {
      return new URL(url, globalThis.location?.href).href;
    } catch {}
  }
  throw clientErrors.argument(`not a URL: ${String(url)}`);
}
