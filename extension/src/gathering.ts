// While a reader adds pages to a conversation, a press of the toolbar button on another tab adds its page. Panels and the
// background look here for that.

const KEY = "gathering";

/** Which tab's conversation gets the pages, and whether its window is private. */
export interface Gathering {
  tab: number;
  isPrivate: boolean;
}

const toGathering = (value: unknown): Gathering | null => {
  const { tab, isPrivate } = (value ?? {}) as Partial<Gathering>;
  return typeof tab === "number" && typeof isPrivate === "boolean" ? { tab, isPrivate } : null;
};

const isPrivateTab = async (tab: number): Promise<boolean> =>
  chrome.extension.inIncognitoContext || (await chrome.tabs.get(tab)).incognito;

/** The conversation that pages are being added to; null where there is none. */
export const readGathering = async (): Promise<Gathering | null> =>
  toGathering((await chrome.storage.session.get(KEY))[KEY]);

/** From now on pages are added to this tab's conversation, and to no other. */
export async function startGathering(tab: number): Promise<void> {
  const gathering: Gathering = { tab, isPrivate: await isPrivateTab(tab) };
  await chrome.storage.session.set({ [KEY]: gathering });
}

/** No more pages are added to this tab's conversation. */
export async function endGathering(tab: number): Promise<void> {
  if ((await readGathering())?.tab === tab) await chrome.storage.session.remove(KEY);
}

/** What concerns a tab: its own gathering, or one that it may join. Private windows and others never mix. */
export async function gatheringFor(tab: number): Promise<Gathering | null> {
  const found = await readGathering();
  return found && found.isPrivate === (await isPrivateTab(tab).catch(() => !found.isPrivate)) ? found : null;
}

/** Calls after every change, until the signal. */
export function watchGathering(listener: () => void, signal: AbortSignal): void {
  const onChanged = (changes: Record<string, chrome.storage.StorageChange>): void => {
    if (KEY in changes) listener();
  };
  chrome.storage.session.onChanged.addListener(onChanged);
  signal.addEventListener("abort", () => chrome.storage.session.onChanged.removeListener(onChanged), { once: true });
}
