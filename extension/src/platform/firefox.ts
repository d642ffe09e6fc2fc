import { matchProblem, type Platform } from "./api.js";

/** What Firefox adds to the shared namespace. */
interface SidebarAction {
  open(): Promise<void>;
}
declare const browser: { sidebarAction: SidebarAction };

export const platform: Platform = {
  openPanel() {
    // One sidebar per window: it follows the active tab.
    void browser.sidebarAction.open();
  },

  // The background page hosts the worker: connecting to it starts it.
  ensureHost: async () => {},

  // The host is in the background page, and hears of closed tabs by itself.
  notifyHost() {},

  accessProblem: (error) =>
    matchProblem(error, [
      [/invalid tab id|no tab|frame.*not found|actor|message manager/i, "page_gone"],
      [/missing host permission/i, "page_needs_permission"],
    ]),

  // Of web pages it is the viewer of PDF files that is closed, besides a few of Mozilla's own sites.
  async refusal({ url = "", title = "" }) {
    if (!/^(?:https?|file):/.test(url)) return "page_restricted";
    return [new URL(url).pathname, title].some((name) => /\.pdf$/i.test(name)) ? "page_pdf" : "page_unreadable";
  },

  // Firefox has no ports in patterns, and asks whether pages may be sent somewhere, too.
  serverPermission: ({ protocol, hostname }) =>
    ({
      origins: [`${protocol}//${hostname}/*`],
      data_collection: ["websiteContent"],
    }) as chrome.permissions.Permissions,

  shortcutsAddress: "about:addons",
  extensionsAddress: "about:addons",
};
