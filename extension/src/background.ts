// Nothing is kept here: the browser may end this script at any time.
import { platform } from "#platform";
import { PDF_PAGE } from "./pdf-wire.js";
import { intentKey } from "./wire.js";

const MENU = "summarize-page";
const MENU_PDF = "open-pdf";

// Scripts in pages need no settings. Firefox has no such level: there they could read the two.
void chrome.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });

/** Opens the panel, and leaves the wish for a summary where the panel finds it. */
function summarize(tab: chrome.tabs.Tab | undefined): void {
  if (tab?.id === undefined) return;
  platform.openPanel({ id: tab.id, windowId: tab.windowId });
  void chrome.storage.session.set({ [intentKey(tab.id)]: Date.now() });
}

chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.removeAll(() => {
    // It is about the page: at a selection, a link or an image it would promise something else.
    chrome.contextMenus.create({ id: MENU, title: chrome.i18n.getMessage("summarizePage"), contexts: ["page"] });
    chrome.contextMenus.create({ id: MENU_PDF, title: chrome.i18n.getMessage("pdfOpenFile"), contexts: ["action"] });
  });
});

// The keyboard shortcut is the same action.
chrome.action.onClicked.addListener(summarize);
chrome.contextMenus.onClicked.addListener((info, tab) => {
  if (info.menuItemId === MENU) summarize(tab);
  if (info.menuItemId === MENU_PDF) void chrome.tabs.create({ url: chrome.runtime.getURL(PDF_PAGE) });
});

chrome.tabs.onRemoved.addListener((tab) => {
  void chrome.storage.session.remove(intentKey(tab));
  platform.notifyHost({ type: "forget", tab });
});
