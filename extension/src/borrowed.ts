// A permission to connect that a page got for a test. It goes with the page's tab, unless the server is turned on.
import { platform } from "#platform";
import { readConnection } from "./host/writers/openai/connection.js";

const keyOf = (tab: number): string => `borrowed.${tab}`;

/** Withdraws a permission. One that policies force stays. */
export const dropPermission = (address: string): Promise<boolean> =>
  chrome.permissions.remove(platform.serverPermission(new URL(address))).catch(() => false);

/** Remembers what this page's tab borrows. What it borrowed before is given back. */
export async function borrow(address: string): Promise<void> {
  const tab = (await chrome.tabs.getCurrent())?.id;
  if (tab === undefined) return;
  await giveBack(tab);
  await chrome.storage.session.set({ [keyOf(tab)]: address });
}

/** Withdraws what a tab has borrowed, but for the server that was turned on. */
export async function giveBack(tab: number): Promise<void> {
  const key = keyOf(tab);
  const address: unknown = (await chrome.storage.session.get(key))[key];
  if (typeof address !== "string") return;
  await chrome.storage.session.remove(key);
  if ((await readConnection())?.base !== address) await dropPermission(address);
}
