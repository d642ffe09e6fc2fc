import type { ModelSource } from "./protocol.gen.js";

/**
 * A file shipped with the site and read in place; one to download into the store once, with the SHA-256 that it must have
 * (of a split model each file's, in order); or one that is in the store, by its name there.
 */
type Remote = { packaged: string | URL } | { url: string | URL; sha256?: string | string[] } | { stored: string };

/**
 * A file that the user picked, or one from elsewhere. Of a split model (`NAME-00001-of-00003.gguf`) all files that the
 * user picked, in any order, or the address of any one.
 */
export type ModelInput = File | Iterable<File> | Remote;

/** A LoRA adapter in GGUF form, and how requests call it. */
export type LoraInput = { name: string } & ({ file: File } | Remote);

/** A source in the protocol's words, and the files that travel beside it. */
export function toSource(input: ModelInput): { source: ModelSource; files?: File[] } {
  if ("stored" in input) return { source: { type: "stored", name: input.stored } };
  if ("packaged" in input) return { source: { type: "packaged", url: absolute(input.packaged) } };
  if ("url" in input) {
    const { url, sha256 } = input;
    return { source: { type: "url", url: absolute(url), ...(sha256 && { sha256: [sha256].flat() }) } };
  }
  return { source: { type: "file" }, files: input instanceof File ? [input] : [...input] };
}

/** The worker's own address differs from the page's: relative URLs mean the page's. */
function absolute(url: string | URL): string {
  return new URL(url, globalThis.location?.href).href;
}
