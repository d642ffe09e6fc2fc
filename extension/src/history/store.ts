// What the history keeps, finds and deletes.
import type { PageDocument } from "../export/document.js";
import { tellChange } from "./changes.js";
import { hasDatabase, HistoryError, resultOf, STORES, toHistoryError, transact } from "./database.js";
import { ENTRY_VERSION, readEntry, type ReadEntry } from "./entry.js";
import { forgetPrompts } from "./prompts.js";
import { readVectors, SUMMARY_PART, type TextVector, type VectorRecord } from "./vectors.js";

/** The oldest entries go where there are more. */
export const ENTRIES_MAX = 2_000;
export const BYTES_MAX = 64 * 2 ** 20;
/** A single entry larger than this is not kept. */
const ENTRY_BYTES_MAX = 4 * 2 ** 20;

/** What the history knows of itself. */
export interface HistoryState {
  isOn: boolean;
  /** How many entries went to make room. */
  dropped: number;
}

/** Where an entry stands in the list. */
export interface Place {
  id: string;
  updatedMs: number;
  bytes: number;
}

const STATE = "state";
/** Whether the history is on. Where there is none it is off, and stays unmade. */
export async function readState(): Promise<HistoryState> {
  const off = { isOn: false, dropped: 0 };
  if (!(await hasDatabase().catch(() => false))) return off;
  return transact("readonly", (tx) => stateIn(tx));
}

/** Whether the history is on, in a transaction of others. */
export async function stateIn(tx: IDBTransaction): Promise<HistoryState> {
  const stored = (await resultOf(tx.objectStore("state").get(STATE))) as Partial<HistoryState> | undefined;
  return { isOn: stored?.isOn === true, dropped: Number(stored?.dropped) || 0 };
}

/** Turns the history on or off. What was kept stays. */
export async function turn(isOn: boolean): Promise<void> {
  await transact("readwrite", async (tx) => {
    tx.objectStore("state").put({ ...(await stateIn(tx)), isOn }, STATE);
    if (!isOn) tx.objectStore("open").clear();
  });
  tellChange();
}

/**
 * Keeps a part of a page: its summary, or a question by its number. False where the history is off. An entry that was
 * deleted meanwhile comes back with this part alone.
 */
export async function keep(id: string, document: PageDocument, part: string, nowMs: number): Promise<boolean> {
  if (!(await hasDatabase().catch(() => false))) return false;
  const isKept = await transact("readwrite", async (tx) => {
    const state = await stateIn(tx);
    if (!state.isOn) return false;
    const entries = tx.objectStore("entries");
    const found = readEntry(await resultOf(entries.get(id)));
    const old = found.kind === "entry" ? found.entry.document : null;
    const merged = merge(old, document, part);
    const bytes = sizeOf(merged);
    if (bytes > ENTRY_BYTES_MAX) throw new HistoryError("history_large", `${bytes} bytes`);
    entries.put({ id, version: ENTRY_VERSION, updatedMs: nowMs, bytes, document: merged });
    const dropped = await makeRoom(tx, id);
    if (dropped > 0) tx.objectStore("state").put({ ...state, dropped: state.dropped + dropped }, STATE);
    return true;
  });
  if (isKept) tellChange();
  return isKept;
}

function merge(old: PageDocument | null, document: PageDocument, part: string): PageDocument {
  const isSummary = part === SUMMARY_PART;
  const { writer } = document;
  const asked = document.questions.filter(({ id }) => String(id) === part);
  const others = (old?.questions ?? []).filter(({ id }) => String(id) !== part);
  return {
    ...document,
    lines: isSummary ? document.lines : (old?.lines ?? []),
    writer: isSummary ? writer : (old?.writer ?? writer),
    questions: [...others, ...asked].sort((one, other) => one.id - other.id),
  };
}

/** Two bytes a character, and as much again for its vectors. */
const sizeOf = (document: PageDocument): number => 4 * JSON.stringify(document).length;

/** Deletes the oldest entries that are too many; never the one that is kept. */
async function makeRoom(tx: IDBTransaction, kept: string): Promise<number> {
  const places = await placesIn(tx);
  let bytes = places.reduce((sum, one) => sum + one.bytes, 0);
  let count = places.length;
  for (const place of places.toReversed()) {
    if (count <= ENTRIES_MAX && bytes <= BYTES_MAX) break;
    if (place.id === kept) continue;
    removeIn(tx, place.id);
    bytes -= place.bytes;
    count -= 1;
  }
  return places.length - count;
}

/** All places, the newest first. */
function placesIn(tx: IDBTransaction): Promise<Place[]> {
  return new Promise((resolve, reject) => {
    const places: Place[] = [];
    const walk = tx.objectStore("entries").index("age").openKeyCursor(null, "prev");
    walk.onerror = () => reject(toHistoryError(walk.error));
    walk.onsuccess = () => {
      const cursor = walk.result;
      if (!cursor) return resolve(places);
      const [updatedMs, bytes] = cursor.key as [number, number];
      places.push({ id: String(cursor.primaryKey), updatedMs: Number(updatedMs), bytes: Number(bytes) });
      cursor.continue();
    };
  });
}

/** Adds the vectors of a part to an entry, where it is still there. */
export async function keepVectors(id: string, part: string, vectors: TextVector[]): Promise<void> {
  await transact("readwrite", async (tx) => {
    if ((await resultOf(tx.objectStore("entries").count(id))) === 0) return;
    const store = tx.objectStore("vectors");
    const old = readVectors(await resultOf(store.get(id)));
    store.put({ id, parts: { ...old?.parts, [part]: vectors } } satisfies VectorRecord);
  });
  tellChange();
}

/** All entries, the newest first; records that the index does not know come last. */
export async function listPlaces(): Promise<Place[]> {
  return transact("readonly", async (tx) => {
    const [places, keys] = await Promise.all([placesIn(tx), resultOf(tx.objectStore("entries").getAllKeys())]);
    const known = new Set(places.map(({ id }) => id));
    const others = keys.map(String).filter((id) => !known.has(id));
    return [...places, ...others.map((id) => ({ id, updatedMs: 0, bytes: 0 }))];
  });
}

/** Entries with these ids, in their order. What was deleted meanwhile is left out. */
export async function readEntries(
  ids: readonly string[],
): Promise<{ entry: ReadEntry; vectors: VectorRecord | null }[]> {
  return transact("readonly", async (tx) => {
    const records = ids.map((id) => resultOf(tx.objectStore("entries").get(id)));
    const vectors = ids.map((id) => resultOf(tx.objectStore("vectors").get(id)));
    const found = await Promise.all(records.map(async (record, at) => [await record, await vectors[at]] as const));
    return found.flatMap(([record, of], at) =>
      record === undefined ? [] : [{ entry: { ...readEntry(record), id: ids[at] ?? "" }, vectors: readVectors(of) }],
    );
  });
}

function removeIn(tx: IDBTransaction, id: string): void {
  tx.objectStore("entries").delete(id);
  tx.objectStore("vectors").delete(id);
}

export async function remove(id: string): Promise<void> {
  await transact("readwrite", async (tx) => {
    removeIn(tx, id);
    const open = tx.objectStore("open");
    for (const key of await resultOf(open.index("entry").getAllKeys(id))) open.delete(key);
  });
  await forgetPrompts();
  tellChange();
}

/** Deletes every entry. Whether the history is on stays as it is. */
export async function removeAll(): Promise<void> {
  await transact("readwrite", async (tx) => {
    const { isOn } = await stateIn(tx);
    for (const name of STORES) tx.objectStore(name).clear();
    if (isOn) tx.objectStore("state").put({ isOn, dropped: 0 }, STATE);
  });
  await forgetPrompts();
  tellChange();
}
