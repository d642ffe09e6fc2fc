// Firefox has no offscreen documents: its background page hosts the worker.
import "./background.js";
import { startHost } from "./host/host.js";

/** Firefox ends a background page that was idle for 30 s; a call of one of its functions counts as work, an open port does not. */
const STAY_MS = 20_000;

let hasUpdate = false;

const host = startHost(() => {
  if (hasUpdate) chrome.runtime.reload();
  // Panels go with it, so none of them is let down meanwhile.
  return false;
});

setInterval(() => {
  if (host.isNeeded()) void chrome.runtime.getPlatformInfo();
}, STAY_MS);

chrome.tabs.onRemoved.addListener((tab) => host.forget(tab));

// Without a listener Firefox would replace the extension at once, in the middle of an answer.
chrome.runtime.onUpdateAvailable.addListener(() => {
  hasUpdate = true;
  if (!host.isNeeded()) chrome.runtime.reload();
});
