// The extension's pages in a language of choice. The browsers here have one language only, so pages are given the packaged
// messages of another.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { ROOT } from "../harness/paths.ts";

export const DIST = resolve(ROOT, "extension/dist/chrome");

type Messages = Record<string, string>;

/** The messages that the package has for a language of the browser. */
export function messagesOf(locale: string): Messages {
  const own = JSON.parse(readFileSync(`${DIST}/_locales/${locale}/messages.json`, "utf8")) as {
    language: { message: string };
  };
  const packed = readFileSync(`${DIST}/messages/${own.language.message}.json.gz`);
  return JSON.parse(gunzipSync(packed).toString()) as Messages;
}

/** Gives a page another language, as the browser would. */
export async function speak(page: Page, language: string): Promise<void> {
  await page.addInitScript((language) => {
    const own = chrome.i18n.getMessage.bind(chrome.i18n);
    Object.defineProperty(chrome.i18n, "getMessage", {
      value: (key: string) => (key === "language" ? language : own(key)),
    });
  }, language);
}
