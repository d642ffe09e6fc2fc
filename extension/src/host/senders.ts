/** What the browser says of who sends a message. */
type Sender = chrome.runtime.MessageSender | undefined;

/** The files whose documents and scripts may speak to the host. */
const PANEL = "/sidepanel/index.html";
const MODELS_PAGES = ["/pages/models/index.html", "/pages/welcome/index.html"];
const HISTORY = "/pages/history/index.html";
const BACKGROUND = "/background.js";

/** Scripts that we run in pages have our id as well, but the address and the origin of their page. */
function isOwn(sender: Sender, path: string): boolean {
  const [file] = sender?.url?.split(/[?#]/) ?? [];
  return sender?.id === chrome.runtime.id && file === chrome.runtime.getURL(path);
}

/** A document of ours, in no frame. */
const isOwnPage = (sender: Sender, path: string): boolean =>
  isOwn(sender, path) && sender?.origin === location.origin && (sender.frameId ?? 0) === 0;

/** A panel, at the side of a page or in a tab of its own. */
export const isPanel = (sender: Sender): boolean => isOwnPage(sender, PANEL);

/** A page that manages models. */
export const isModelsPage = (sender: Sender): boolean => MODELS_PAGES.some((path) => isOwnPage(sender, path));

export const isHistory = (sender: Sender): boolean => isOwnPage(sender, HISTORY);

/** The background script; Chrome does not tell the origin of a service worker. */
export const isBackground = (sender: Sender): boolean => isOwn(sender, BACKGROUND) && !sender?.tab;
