// All that the extension writes: nothing else writes to `storage.local` or opens a database. What is chosen in a private window stays in
// memory (`storage.session`), is seen in private windows only, and goes with the last of them. Databases and the files of the worker
// (OPFS) of a private window are kept in memory by the browser. In Firefox the extension does not run in private windows.

const PRIVATE = "private.";

/** Whether this page, or background script, belongs to private windows. */
export const isPrivate = (): boolean => chrome.extension?.inIncognitoContext === true;

/** What is stored under a key: in a private window what was chosen there, else what normal windows have. */
export async function readStored(key: string): Promise<unknown> {
  if (isPrivate()) {
    const own = (await chrome.storage.session.get(PRIVATE + key))[PRIVATE + key] as { value: unknown } | undefined;
    if (own) return own.value;
  }
  return (await chrome.storage.local.get(key))[key];
}

/** Stores a value; `undefined` takes it away. */
export function writeStored(key: string, value: unknown): Promise<void> {
  // Kept as taken away, too: what normal windows have must not shine through.
  if (isPrivate()) return chrome.storage.session.set({ [PRIVATE + key]: value === undefined ? {} : { value } });
  return value === undefined ? chrome.storage.local.remove(key) : chrome.storage.local.set({ [key]: value });
}

/** Calls with the keys that changed, until the signal. */
export function watchStored(listener: (keys: string[]) => void, signal: AbortSignal): void {
  const follow = (area: chrome.storage.StorageArea, prefix: string): void => {
    const onChanged = (changes: Record<string, chrome.storage.StorageChange>): void => {
      const keys = Object.keys(changes).filter((key) => key.startsWith(prefix));
      if (keys.length > 0) listener(keys.map((key) => key.slice(prefix.length)));
    };
    area.onChanged.addListener(onChanged);
    signal.addEventListener("abort", () => area.onChanged.removeListener(onChanged), { once: true });
  };
  follow(chrome.storage.local, "");
  if (isPrivate()) follow(chrome.storage.session, PRIVATE);
}

/** Forgets what private windows chose when the last of them closes; `first` is done before. For the background script. */
export function forgetWithPrivateWindows(first: () => Promise<void>): void {
  if (!isPrivate()) return;
  chrome.windows.onRemoved.addListener(async () => {
    if ((await chrome.windows.getAll()).length > 0) return;
    await first();
    const keys = Object.keys(await chrome.storage.session.get(null));
    await chrome.storage.session.remove(keys.filter((key) => key.startsWith(PRIVATE)));
  });
}

/** Opens a database, whose events the caller hears. */
export const openDatabase = (name: string, version: number): IDBOpenDBRequest => indexedDB.open(name, version);

/** Deletes a database with all that is in it, whatever its version. */
export const dropDatabase = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const dropping = indexedDB.deleteDatabase(name);
    dropping.onsuccess = () => resolve();
    dropping.onerror = () => reject(dropping.error);
    dropping.onblocked = () => reject(new Error("another window has the database open"));
  });
