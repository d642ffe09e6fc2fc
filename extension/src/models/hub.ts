// The model hub that the reader has chosen.
import { hub as defaultHub } from "@pith/web/models";

const KEY = "hub";

/** Where models are looked for: the public hub, or a mirror that the reader has set. */
export async function readHub(): Promise<string> {
  const stored = (await chrome.storage.local.get(KEY))[KEY];
  return typeof stored === "string" && URL.canParse(stored) ? new URL(stored).origin : defaultHub;
}

/** Sets a mirror; an empty address sets the public hub. */
export const writeHub = (address: string): Promise<void> =>
  address ? chrome.storage.local.set({ [KEY]: new URL(address).origin }) : chrome.storage.local.remove(KEY);
