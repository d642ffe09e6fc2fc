// The right to load from one host.

/** The host of an address, as people know it: with its port where it has one. */
export const hostOf = (url: string): string => new URL(url).host;

/** What the browser is asked for: this host alone. Firefox's patterns have no ports. */
const patternOf = (url: string): string => {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
};

/** Asks the reader, unless they have agreed before. Must be called in the task of their click. */
export const askForHost = (url: string): Promise<boolean> => chrome.permissions.request({ origins: [patternOf(url)] });

/** Addresses that a model may be loaded from: HTTPS, and this machine itself. */
export function isAllowed(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username } = new URL(url);
  const isHere = ["localhost", "127.0.0.1"].includes(hostname);
  return username === "" && (protocol === "https:" || (protocol === "http:" && isHere));
}
