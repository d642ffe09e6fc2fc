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
  if ("stored" in input) return { source: { type: "stored", name: input.stored } };
  if ("packaged" in input) return { source: { type: "packaged", url: absolute(input.packaged) } };
  if ("url" in input) {
    const { url, sha256 } = input;
    return { source: { type: "url", url: absolute(url), ...(sha256 && { sha256: [sha256].flat() }) } };
  }
  return { source: { type: "file" }, files: input instanceof File ? [input] : [...input] };
}

/** Resolves relative URLs against the page, because the worker's base URL differs. */
function absolute(url: string | URL): string {
  return new URL(url, globalThis.location?.href).href;
}
