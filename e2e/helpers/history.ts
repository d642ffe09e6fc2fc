// The history as tests see it: its switch, its page, and its records.

import type { BrowserContext, Page } from "@playwright/test";
import { expect, type Extension } from "../fixtures.ts";

const DATABASE = "pith-history";

/** Turns the history on, or off, in a panel's settings. */
export async function turnHistory(panel: Page, isOn: boolean): Promise<void> {
  await panel.getByRole("button", { name: "Settings" }).click();
  const input = panel.getByRole("checkbox", { name: "Keep a history" });
  await input.setChecked(isOn);
  await expect(input).toBeChecked({ checked: isOn });
  await panel.getByRole("button", { name: "Settings" }).click();
}

/** Opens the page of the history. */
export async function openHistory(context: BrowserContext, extension: Extension): Promise<Page> {
  const page = await context.newPage();
  await page.goto(extension.url("pages/history/index.html"));
  return page;
}

/** All records of a store of the history; null where there is no history. Evaluated in a page of the extension. */
export function records<T>(page: Page, store: "entries" | "vectors" | "state" | "open"): Promise<T[] | null> {
  return page.evaluate(
    async ({ name, store }) => {
      if (!(await indexedDB.databases()).some((one) => one.name === name)) return null;
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(new Error(String(opening.error)));
      });
      const all = await new Promise<unknown[]>((resolve, reject) => {
        const request = database.transaction(store).objectStore(store).getAll();
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(String(request.error)));
      });
      database.close();
      // Vectors of 8 bits would not travel.
      return JSON.parse(
        JSON.stringify(all, (key, value) => (key === "values" ? null : (value as unknown))),
      ) as unknown[];
    },
    { name: DATABASE, store },
  ) as Promise<T[] | null>;
}

/** Puts records into a store as another version, or a broken profile, may have. */
export function putRecords(page: Page, store: string, values: object[]): Promise<void> {
  return page.evaluate(
    async ({ name, store, values }) => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
      });
      const transaction = database.transaction(store, "readwrite");
      for (const value of values) transaction.objectStore(store).put(value);
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(new Error(String(transaction.error)));
      });
      database.close();
    },
    { name: DATABASE, store, values },
  );
}

/** An entry as it is stored. */
export function entryOf(id: string, title: string, updatedMs: number, text = `${title} is a place.`) {
  const address = "https://place.example/";
  const line = { text, sources: [{ text, code: null, link: `${address}#:~:text=${encodeURIComponent(text)}` }] };
  const document = { title, address, dateMs: updatedMs, language: "en", writer: null, lines: [line], questions: [] };
  return { id, version: 1, updatedMs, bytes: 4 * JSON.stringify(document).length, document };
}
