import type words from "./messages/en/browser.json";

export type BrowserKey = keyof typeof words;

/**
 * A message of messages/LANGUAGE/browser.json: those that the manifest, the background script and the browser's menus use. The
 * browser finds them itself; all others are in a packed file, which `ui/words.ts` reads for the extension's pages.
 */
export const browserWords = (key: BrowserKey): string => chrome.i18n.getMessage(key);
