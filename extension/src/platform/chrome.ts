import { matchProblem, type Platform } from "./api.js";

const HOST = "offscreen.html";
let starting: Promise<void> | null = null;

async function startHost(): Promise<void> {
  const found = await chrome.runtime.getContexts({ contextTypes: [chrome.runtime.ContextType.OFFSCREEN_DOCUMENT] });
  if (found.length > 0) return;
  try {
    await chrome.offscreen.createDocument({
      url: HOST,
      reasons: [chrome.offscreen.Reason.WORKERS],
      justification: "Runs the model in a dedicated worker, so that an answer survives closing the panel.",
    });
  } catch (error) {
    // Another panel may have been first; only one document can exist.
    if (!/single offscreen/i.test(String(error))) throw error;
  }
}

export const platform: Platform = {
  openPanel({ id }) {
    // Not awaited: the panel may only be opened while the click is being handled.
    void chrome.sidePanel.setOptions({ tabId: id, path: `sidepanel/index.html?tab=${id}`, enabled: true });
    void chrome.sidePanel.open({ tabId: id });
  },

  takePanelTo({ id }) {
    void chrome.sidePanel.setOptions({ tabId: id, path: `sidepanel/index.html?tab=${id}`, enabled: true });
    // Where the click is too long ago, the toolbar button opens it.
    chrome.sidePanel.open({ tabId: id }).catch(() => {});
  },

  // What the button opened, our pages may load as long as that tab stays.
  askForSite: async () => true,

  ensureHost() {
    starting ??= startHost().finally(() => {
      starting = null;
    });
    return starting;
  },

  notifyHost(notice) {
    // Nobody listens while no page has been summarized: that is no error.
    chrome.runtime.sendMessage(notice).catch(() => {});
  },

  accessProblem: (error) =>
    matchProblem(error, [
      [/gallery|webstore/i, "page_store"],
      [/showing error page/i, "page_error"],
      [/no tab with id|tab was closed|frame.*(removed|not found)|no frame/i, "page_gone"],
      [
        /chrome(-extension|-untrusted)?:\/\/|view-source|devtools|ExtensionsSettings policy|cannot be scripted/i,
        "page_restricted",
      ],
      [/must request permission|cannot access contents/i, "page_needs_permission"],
    ]),

  // Chrome hides the address of a file from an extension that may not read files.
  refusal: async ({ url }) =>
    !url && !(await chrome.extension.isAllowedFileSchemeAccess()) ? "page_file" : "page_restricted",

  serverPermission: ({ origin }) => ({ origins: [`${origin}/*`] }),

  shortcutsAddress: "chrome://extensions/shortcuts",
  extensionsAddress: "chrome://extensions",
};
