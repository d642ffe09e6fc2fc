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

  accessProblem: (error) =>
    matchProblem(error, [
      [/invalid tab id|no tab|frame.*not found/i, "page_gone"],
      [/missing host permission/i, "page_needs_permission"],
    ]),
};
