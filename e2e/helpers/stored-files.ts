// Stored files, changed behind the worker's back.

import type { Page } from "@playwright/test";
import type { StoreKind } from "../../web/src/protocol.gen.ts";

/** Flips the bits of a byte of a stored file. */
export const flipByte = (page: Page, store: StoreKind, name: string, offset_bytes: number): Promise<void> =>
  page.evaluate(store === "indexedDb" ? flipInDatabase : flipInFile, [name, offset_bytes] as const);

/** Cuts a file of the origin private file system. */
export const truncate = (page: Page, name: string, length_bytes: number): Promise<void> =>
  page.evaluate(
    async ([name, length_bytes]) => {
      const root = await navigator.storage.getDirectory();
      const handle = await (await root.getDirectoryHandle("pith-models")).getFileHandle(name);
      const out = await handle.createWritable({ keepExistingData: true });
      await out.truncate(length_bytes);
      await out.close();
    },
    [name, length_bytes] as const,
  );

async function flipInFile([name, offset_bytes]: readonly [string, number]): Promise<void> {
  const root = await navigator.storage.getDirectory();
  const handle = await (await root.getDirectoryHandle("pith-models")).getFileHandle(name);
  const there = (await handle.getFile()).slice(offset_bytes, offset_bytes + 1);
  const [byte = 0] = new Uint8Array(await there.arrayBuffer());
  const out = await handle.createWritable({ keepExistingData: true });
  await out.write({ type: "write", position: offset_bytes, data: Uint8Array.of(byte ^ 0xff) });
  await out.close();
}

/** The file's bytes are the binary values whose keys begin with its name, in the order of the keys. */
async function flipInDatabase([name, offset_bytes]: readonly [string, number]): Promise<void> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await settled(indexedDB.open("pith"));
  for (const store of database.objectStoreNames) {
    const keys = await settled(database.transaction(store).objectStore(store).getAllKeys());
    let start_bytes = 0;
    for (const key of keys.filter((key) => Array.isArray(key) && key[0] === name)) {
      const value: unknown = await settled(database.transaction(store).objectStore(store).get(key));
      if (!(value instanceof Uint8Array || value instanceof ArrayBuffer || value instanceof Blob)) continue;
      const bytes = new Uint8Array(await new Blob([value as BlobPart]).arrayBuffer());
      const at = offset_bytes - start_bytes;
      start_bytes += bytes.length;
      if (at >= bytes.length) continue;
      bytes[at]! ^= 0xff;
      const changed = value instanceof Uint8Array ? bytes : value instanceof Blob ? new Blob([bytes]) : bytes.buffer;
      await settled(database.transaction(store, "readwrite").objectStore(store).put(changed, key));
      return database.close();
    }
  }
  throw new Error(`the database has no byte ${offset_bytes} of ${name}`);
}
