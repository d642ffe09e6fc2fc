// What becomes of stored files: a bit flips, the end is cut off, a piece becomes zeros, nothing is left.

import type { Page } from "@playwright/test";

export const DAMAGES = ["flipped bit", "cut", "zeros", "empty"] as const;
export type DamageKind = (typeof DAMAGES)[number];

/** Damages every file of a folder of the origin private file system, in its second half. */
export const rot = (page: Page, folder: string, kind: DamageKind): Promise<number> =>
  page.evaluate(
    async ([folder, kind]) => {
      const root = await navigator.storage.getDirectory();
      let files = 0;
      for await (const entry of (await root.getDirectoryHandle(folder)).values()) {
        const handle = entry as FileSystemFileHandle;
        const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
        const middle = Math.floor(bytes.length * 0.6);
        // The first that is not zero already.
        const at = bytes.findIndex((byte, index) => index >= middle && byte !== 0);
        if (kind === "flipped bit") bytes[at]! ^= 1;
        if (kind === "zeros") bytes.fill(0, at, at + 4096);
        const out = await handle.createWritable();
        await out.write(kind === "empty" ? bytes.subarray(0, 0) : kind === "cut" ? bytes.subarray(0, at) : bytes);
        await out.close();
        files += 1;
      }
      return files;
    },
    [folder, kind] as const,
  );
