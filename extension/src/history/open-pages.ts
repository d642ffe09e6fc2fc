// What panels show of pages whose tabs are open, so that it is there again after the browser or the extension has ended. Part of the
// history: there is none of it while that is off.
import { version } from "../../package.json";
import type { TabState } from "../wire.js";
import { hasDatabase, resultOf, transact } from "./database.js";
import { stateIn } from "./store.js";

/** Pages at most; the oldest go. */
const PAGES_MAX = 32;
/** A single state larger than this is not kept. */
const CHARS_MAX = 2 * 2 ** 20;
/** What was left for longer is not shown again. */
const AGE_MAX_MS = 7 * 24 * 60 * 60 * 1000;

interface OpenPage {
  address: string;
  /** The version of the extension that wrote it; another one reads nothing of it. */
  version: string;
  updatedMs: number;
  /** A hash of the page's text. */
  digest: string;
  /** The entry of the page in the history, with which it goes. */
  entry?: string;
  state: TabState;
}

/** Keeps what a panel shows. False where the history is off. */
export async function keepOpen(address: string, digest: string, state: TabState, nowMs: number): Promise<boolean> {
  if (JSON.stringify(state).length > CHARS_MAX || !(await hasDatabase())) return false;
  return transact("readwrite", async (tx) => {
    if (!(await stateIn(tx)).isOn) return false;
    const store = tx.objectStore("open");
    const entry = state.entry === undefined ? {} : { entry: state.entry };
    store.put({ address, version, updatedMs: nowMs, digest, state, ...entry } satisfies OpenPage);
    const old = await resultOf(store.index("age").getAllKeys());
    for (const key of old.slice(0, -PAGES_MAX)) store.delete(key);
    return true;
  });
}

/** What was shown last of the page at this address, if it has the same text. */
export async function readOpen(address: string, digest: string, nowMs: number): Promise<TabState | null> {
  if (!(await hasDatabase())) return null;
  return transact("readonly", async (tx) => {
    if (!(await stateIn(tx)).isOn) return null;
    const found = (await resultOf(tx.objectStore("open").get(address))) as Partial<OpenPage> | undefined;
    const isOld = Math.abs(nowMs - Number(found?.updatedMs)) > AGE_MAX_MS;
    if (!found?.state || isOld || found.version !== version || found.digest !== digest) return null;
    return found.state;
  });
}

/** Forgets it, because its tab is closed or shows something else. */
export async function closeOpen(address: string): Promise<void> {
  if (!(await hasDatabase())) return;
  await transact("readwrite", async (tx) => void tx.objectStore("open").delete(address));
}
