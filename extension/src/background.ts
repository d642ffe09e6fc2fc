// Nothing is kept here: the browser may end this script at any time.
import { platform } from "#platform";
import { wishKey } from "./actions.js";
import { giveBack } from "./borrowed.js";
import { endGathering } from "./gathering.js";
import { browserWords } from "./browser-words.js";
import { buildMenu, onMenu, watchSelections } from "./menu.js";
import { giveBackHosts } from "./models/permission.js";
import { watchPdfTypes } from "./pdf-type.js";
import { PDF_PAGE } from "./pdf-wire.js";
import { forgetWithPrivateWindows, readStored, writeStored } from "./storage.js";
import { intentKey } from "./wire.js";

const MENU = "summarize-page";
const MENU_PDF = "open-pdf";

/** The summary is about the page: at a link or an image it would promise something else. */
const ENTRIES = [
  { id: MENU, title: browserWords("summarizePage"), contexts: ["page"] },
  { id: MENU_PDF, title: browserWords("pdfOpenFile"), contexts: ["action"] },
] satisfies chrome.contextMenus.CreateProperties[];

// Scripts in pages need no settings. Firefox has no such level: there they could read the two.
void chrome.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });

/** Opens the panel, and leaves the wish for a summary where the panel finds it. */
function summarize(tab: chrome.tabs.Tab | undefined): void {
  if (tab?.id === undefined) return;
  platform.openPanel({ id: tab.id, windowId: tab.windowId });
  void chrome.storage.session.set({ [intentKey(tab.id)]: Date.now() });
}

/** Opens the first-run page once: a browser may tell of the same installation again. */
async function welcome(): Promise<void> {
  const KEY = "welcomed";
  if ((await readStored(KEY)) !== undefined) return;
  await writeStored(KEY, true);
  await chrome.tabs.create({ url: "/pages/welcome/index.html" });
}

chrome.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === "install") void welcome();
  buildMenu(ENTRIES);
});
// A download ends with the browser, whether or not a page saw its end.
chrome.runtime.onStartup.addListener(() => void giveBackHosts());
watchSelections(ENTRIES);
watchPdfTypes();
forgetWithPrivateWindows(giveBackHosts);

// The keyboard shortcut is the same action.
chrome.action.onClicked.addListener(summarize);
chrome.contextMenus.onClicked.addListener((info, tab) => {
  if (onMenu(info, tab)) return;
  if (info.menuItemId === MENU) summarize(tab);
  if (info.menuItemId === MENU_PDF) void chrome.tabs.create({ url: chrome.runtime.getURL(PDF_PAGE) });
});

chrome.tabs.onRemoved.addListener((tab) => {
  void chrome.storage.session.remove([intentKey(tab), wishKey(tab)]);
  void giveBack(tab);
  void endGathering(tab);
  platform.notifyHost({ type: "forget", tab });
});
