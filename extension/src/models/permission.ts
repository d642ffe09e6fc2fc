// The right to load from one host. It is lent for a download.
import { readConnection } from "../host/writers/openai/connection.js";
import { readStored, writeStored } from "../storage.js";

/** The hosts that the browser allowed because of a download; not those that it allowed before. */
const KEY = "lent";
const COUNT_MAX = 100;

/** The host of an address, as people know it: with its port where it has one. */
export const hostOf = (url: string): string => new URL(url).host;

/** What the browser is asked for: this host alone. Firefox's patterns have no ports. */
const patternOf = (url: string): string => {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
};

/** Asks the reader, unless they have agreed before. Must be called in the task of their click. */
export async function askForHost(url: string): Promise<boolean> {
  const origins = [patternOf(url)];
  const [had, isGranted] = await Promise.all([
    chrome.permissions.contains({ origins }),
    chrome.permissions.request({ origins }),
  ]);
  if (isGranted && !had) await writeStored(KEY, [...new Set([...(await readLent()), ...origins])].slice(-COUNT_MAX));
  return isGranted;
}

async function readLent(): Promise<string[]> {
  const stored = await readStored(KEY);
  return Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : [];
}

/** Gives back the right to load from a host when its download has ended, or that of all hosts. The reader's own server keeps its. */
export async function giveBackHosts(url?: string): Promise<void> {
  const lent = await readLent();
  const ended = url === undefined ? lent : lent.filter((one) => one === patternOf(url));
  if (ended.length === 0) return;
  await writeStored(
    KEY,
    lent.filter((one) => !ended.includes(one)),
  );
  const server = await readConnection().then(
    (connection) => connection && patternOf(connection.base),
    () => null,
  );
  for (const origin of ended)
    if (origin !== server) await chrome.permissions.remove({ origins: [origin] }).catch(() => false);
}

/** Addresses that a model may be loaded from: HTTPS, and this machine itself. */
export function isAllowed(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username } = new URL(url);
  const isHere = ["localhost", "127.0.0.1"].includes(hostname);
  return username === "" && (protocol === "https:" || (protocol === "http:" && isHere));
}
