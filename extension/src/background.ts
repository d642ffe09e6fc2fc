// Nothing is kept here: the browser may end this script at any time.
import { platform } from "#platform";
import { intentKey, type Notice } from "./wire.js";

const MENU = "summarize-page";

/** Opens the panel, and leaves the wish for a summary where the panel finds it. */
function summarize(tab: chrome.tabs.Tab | undefined): void {
  if (tab?.id === undefined) return;
  platform.openPanel({ id: tab.id, windowId: tab.windowId });
  void chrome.storage.session.set({ [intentKey(tab.id)]: Date.now() });
}

chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.removeAll(() => {
    chrome.contextMenus.create({
      id: MENU,
      title: chrome.i18n.getMessage("summarizePage"),
      contexts: ["page", "selection", "link", "image"],
    });
  });
});

// The keyboard shortcut is the same action.
chrome.action.onClicked.addListener(summarize);
chrome.contextMenus.onClicked.addListener((info, tab) => {
  if (info.menuItemId === MENU) summarize(tab);
});

chrome.tabs.onRemoved.addListener((tab) => {
  const notice: Notice = { type: "forget", tab };
  void chrome.storage.session.remove(intentKey(tab));
  // Nobody listens while no page has been summarised: that is no error.
  chrome.runtime.sendMessage(notice).catch(() => {});
});
