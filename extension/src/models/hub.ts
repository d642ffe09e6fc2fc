// The model hub that the reader has chosen.
import { hub as defaultHub } from "@pith/web/models";
import { readStored, writeStored } from "../storage.js";

const KEY = "hub";

/** Where models are looked for: the public hub, or a mirror that the reader has set. */
export async function readHub(): Promise<string> {
  const stored = await readStored(KEY);
  return typeof stored === "string" && URL.canParse(stored) ? new URL(stored).origin : defaultHub;
}

/** Sets a mirror; an empty address sets the public hub. */
export const writeHub = (address: string): Promise<void> =>
  writeStored(KEY, address ? new URL(address).origin : undefined);
