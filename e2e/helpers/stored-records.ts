// The records of stored files, read and changed behind the worker's back.

import type { Page } from "@playwright/test";
import type { StoreKind } from "../../web/src/protocol.gen.ts";

/** What a record is made to be: a text, another value, or nothing. */
export type Forged = string | number | null;

/** Where the database keeps the record of a file, and where the first release kept it. */
const keys = (store: StoreKind, name: string) => [store === "indexedDb" ? [name, "indexedDb"] : name, name] as const;

/** The text of a file's record. */
export const readRecord = (page: Page, store: StoreKind, name: string): Promise<string> =>
  page.evaluate(
    async ([key, first]) => {
      const settled = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const database = await settled(indexedDB.open("pith"));
      const get = (key: IDBValidKey) => settled(database.transaction("files").objectStore("files").get(key));
      const text: unknown = (await get(key as IDBValidKey)) ?? (await get(first));
      database.close();
      if (typeof text !== "string") throw new Error(`no record of ${first}`);
      return text;
    },
    keys(store, name),
  );

/** Replaces a file's record, as this version or as the first release kept it, and takes the copy beside the file away. */
export const forgeRecord = (
  page: Page,
  store: StoreKind,
  name: string,
  value: Forged,
  { copy = false, first = false } = {},
): Promise<void> =>
  page.evaluate(
    async ([now, old, name, value, copy, first]) => {
      const settled = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const database = await settled(indexedDB.open("pith"));
      const files = () => database.transaction("files", "readwrite").objectStore("files");
      await settled(files().delete(now as IDBValidKey));
      await settled(files().delete(old));
      if (value !== null) await settled(files().put(value, (first ? old : now) as IDBValidKey));
      if (!copy) {
        const chunks = database.transaction("chunks", "readwrite").objectStore("chunks");
        await settled(chunks.delete([name, "record"]));
        const root = await navigator.storage.getDirectory();
        const copies = await root.getDirectoryHandle("pith-records", { create: true });
        await copies.removeEntry(name).catch(() => {});
      }
      database.close();
    },
    [...keys(store, name), name, value, copy, first] as const,
  );

/** As this version wrote records at first: nothing says that they are as they were. */
export function unsealed(text: string): object {
  const { seal, ...record } = JSON.parse(text);
  return record;
}

/** As the first release wrote a record. */
export function firstRelease(text: string): string {
  const { version, seal, unwanted, changed_ms, ...record } = JSON.parse(text);
  return JSON.stringify(record);
}

/** Bytes of all files of a store. */
export const storedBytes = (page: Page, store: StoreKind): Promise<number> =>
  page.evaluate(async (store) => {
    if (store !== "indexedDb") {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle("pith-models");
      let bytes = 0;
      for await (const handle of folder.values()) bytes += (await (handle as FileSystemFileHandle).getFile()).size;
      return bytes;
    }
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await settled(indexedDB.open("pith"));
    const all = await settled(database.transaction("chunks").objectStore("chunks").getAll());
    database.close();
    return all.reduce((sum: number, value) => sum + (value instanceof Uint8Array ? value.length : 0), 0);
  }, store);
