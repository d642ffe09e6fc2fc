// The context menu at a selection, and what a click in it or on the button at a selection does.
import { platform } from "#platform";
import { ACTION_NAMES } from "./action-names.js";
import {
  type ActionWish,
  OFFER_TAKEN,
  readActions,
  type Selected,
  SELECTION_CHARS_MAX,
  watchActions,
  wishKey,
} from "./actions.js";
import { actionsFor, mayActFreely } from "./allowed.js";
import { browserWords } from "./browser-words.js";
import { readSelection } from "./read-selection.js";
import { readRoles, watchRoles } from "./roles.js";

const PREFIX = "action:";
const PARENT = "actions";

let building = Promise.resolve();

/** Makes the entries anew, with those of `others`, one after the other: two of these at once would both add entries. */
export function buildMenu(others: readonly chrome.contextMenus.CreateProperties[]): void {
  building = building.then(async () => {
    const [own, { writer }] = await Promise.all([readActions(), readRoles()]);
    await new Promise<void>((resolve) => chrome.contextMenus.removeAll(resolve));
    for (const other of others) chrome.contextMenus.create(other);
    const contexts: ["selection"] = ["selection"];
    chrome.contextMenus.create({ id: PARENT, title: browserWords("actionsMenu"), contexts });
    for (const action of actionsFor(writer)) {
      const title = browserWords(ACTION_NAMES[action]);
      chrome.contextMenus.create({ id: PREFIX + action, parentId: PARENT, title, contexts });
    }
    const offered = mayActFreely(writer) ? own : [];
    if (offered.length > 0) chrome.contextMenus.create({ id: "own", parentId: PARENT, type: "separator", contexts });
    for (const { id, name } of offered) {
      // In a title "%s" stands for the selected text, and "&" for a key.
      const title = name.replaceAll("%s", "%\u200bs").replaceAll("&", "&&");
      chrome.contextMenus.create({ id: PREFIX + id, parentId: PARENT, title, contexts });
    }
  });
}

/** Keeps the menu as the reader's actions are, and answers the button at a selection. */
export function watchSelections(others: readonly chrome.contextMenus.CreateProperties[]): void {
  watchActions(() => buildMenu(others));
  watchRoles(() => buildMenu(others), new AbortController().signal);
  chrome.runtime.onMessage.addListener((message: { type?: unknown }, sender) => {
    const { tab } = sender;
    if (message.type !== OFFER_TAKEN || sender.id !== chrome.runtime.id || !tab) return;
    void act("explain", tab, sender.frameId ?? 0, null);
  });
}

/** A click in the menu; false where the entry is another's. */
export function onMenu(info: chrome.contextMenus.OnClickData, tab: chrome.tabs.Tab | undefined): boolean {
  const id = String(info.menuItemId);
  if (!id.startsWith(PREFIX) || tab?.id === undefined) return false;
  void act(id.slice(PREFIX.length), tab, info.frameId ?? 0, info);
  return true;
}

async function act(
  action: string,
  tab: chrome.tabs.Tab,
  frame: number,
  info: chrome.contextMenus.OnClickData | null,
): Promise<void> {
  const { id } = tab;
  if (id === undefined) return;
  // First, and not awaited: the panel may only be opened while the click is being handled.
  platform.openPanel({ id, windowId: tab.windowId });
  const leave = async (selected: Selected | null): Promise<void> => {
    const wish: ActionWish = { action, selected };
    await chrome.storage.session.set({ [wishKey(id)]: wish });
    // A tab that was closed meanwhile has been forgotten already.
    await chrome.tabs.get(id).catch(() => chrome.storage.session.remove(wishKey(id)));
  };
  await leave(null);
  const selected = await readSelection({ tabId: id, frameIds: [frame] }).catch(() => null);
  const isUseful = selected !== null && selected.problem !== "selection_none";
  await leave(isUseful ? selected : told(info, tab, selected));
}

/** What the browser itself said of the selection, where the page cannot be asked. It may be shortened, and has no line ends. */
function told(
  info: chrome.contextMenus.OnClickData | null,
  { title = "" }: chrome.tabs.Tab,
  found: Selected | null,
): Selected {
  // Of an input nobody but the page's script knows whether it holds a password.
  const text = info?.editable ? "" : (info?.selectionText ?? "");
  const problem = text.trim() !== "" ? null : (found?.problem ?? "selection_closed");
  return { text: text.slice(0, SELECTION_CHARS_MAX), chars: text.length, title, language: null, problem };
}
