import type { ErrorData, Stage } from "@pith/web";
import { platform } from "#platform";
import { browserWords } from "../browser-words.js";
import { shortName, shown } from "../text/seen.js";
import { fetchPacked } from "./packed.js";

const messages = await readMessages();

/** All messages of the language that the browser chose for us. */
async function readMessages(): Promise<Readonly<Record<string, string>>> {
  // In a process that has just begun Chrome at times has none of the messages that say which that is.
  const language = browserWords("language") || (await nearestLanguage());
  return (await fetchPacked(`messages/${language}.json`)).json() as Promise<Record<string, string>>;
}

/** The language of our texts that is nearest to the browser's. */
async function nearestLanguage(): Promise<string> {
  const known = (await (await fetch(chrome.runtime.getURL("/messages/languages.json"))).json()) as string[];
  const browser = chrome.i18n.getUILanguage();
  const main = browser.split("-")[0];
  return (
    [browser, main].find((one) => one && known.includes(one)) ?? known.find((one) => one.split("-")[0] === main) ?? "en"
  );
}

/** The message of a key, with `$1`, `$2` ... replaced; empty where there is none. */
const fill = (key: string, values: readonly (string | number)[]): string =>
  (messages[key] ?? "").replace(/\$(\d)/g, (_, place: string) => String(values[Number(place) - 1] ?? ""));

/** A sentence from messages/, in the browser's language. */
export const t = (key: string, ...values: (string | number)[]): string => fill(key, values) || key;

/** Gives an extension page its title, and the language of our texts, which the browser's may have no translation into. */
export function setLanguage(title: string): void {
  document.documentElement.lang = t("language");
  document.documentElement.dir = t("direction");
  document.title = shown(title);
}

/** A sentence about a number of things, in the form that the language of our texts has for it; `$1` is the number. */
export function tn(key: string, count: number, ...values: (string | number)[]): string {
  const form = new Intl.PluralRules(t("language")).select(count);
  return t(`${key}__${form}`, number(count), ...values);
}

/** The language of numbers and dates: the browser's own variant of the language of our texts, else that of our texts. */
export const locale = ((): string => {
  const [texts, browser] = [t("language"), chrome.i18n.getUILanguage()];
  return browser.split("-")[0] === texts.split("-")[0] ? browser : texts;
})();

export const number = (value: number): string => new Intl.NumberFormat(locale).format(value);

/** 12.3, 140. */
export const decimal = (value: number): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: value < 100 ? 1 : 0 }).format(value);
export const date = (ms: number): string => new Intl.DateTimeFormat(locale, { dateStyle: "full" }).format(ms);
export const dateTime = (ms: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" }).format(ms);
export const time = (ms: number): string => new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(ms);

/** A title of a page or a name within our own text, whose direction it does not change. */
export const quoted = (title: string): string => `\u2068${shortName(title)}\u2069`;

const RTL = /[\u0590-\u08FF\uFB1D-\uFEFC]|[\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** The name of a model, a server or a file within our own text; set apart where one of the two runs from right to left. */
export const called = (name: string): string =>
  t("direction") === "rtl" || RTL.test(name) ? quoted(name) : shortName(name);

/** Names one after the other. */
export const list = (names: readonly string[]): string => new Intl.ListFormat(locale, { type: "unit" }).format(names);

/** A language's name in the reader's; `und` is one that nobody recognised. */
export const languageName = (tag: string): string =>
  tag === "und" ? t("languageNotRecognized") : (new Intl.DisplayNames(locale, { type: "language" }).of(tag) ?? tag);

/** 0.8 s, 12 s. */
export function seconds(ms: number): string {
  const digits = ms < 9_950 ? 1 : 0;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "second",
    unitDisplay: "short",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Math.max(ms, 50) / 1000);
}

export const percent = (share: number): string =>
  new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }).format(share);

/** Stages of the worker, those before it (a page is read, a PDF is loaded), and the reading of a page in parts. */
export type AnyStage = Stage | "read" | "pdf" | "part";

/** What is being done, in words. */
export function progressWords(stage: AnyStage, done: number, total: number): string {
  switch (stage) {
    case "read":
      return total > 0 ? t("pdfReadingPages", number(Math.min(done + 1, total)), number(total)) : t("progressRead");
    case "pdf":
      return total > 0 ? t("pdfLoadingShare", percent(Math.min(1, done / total))) : t("pdfLoading");
    case "queue":
      return t("progressQueue");
    case "elsewhere":
      return t("progressElsewhere");
    case "paused":
      return t("progressPaused");
    case "retry":
      return t("progressRetry");
    case "verify":
      return t("progressVerify");
    case "download":
    case "load":
      return total > 0 ? t("progressLoadShare", percent(Math.min(1, done / total))) : t("progressLoad");
    case "recover":
      return total > 0 ? t("progressRecoverShare", percent(Math.min(1, done / total))) : t("progressRecover");
    case "compile":
    case "tune":
      return t("progressCompile");
    case "embed":
      return total > 0 ? t("progressEmbedCount", number(Math.min(done + 1, total)), number(total)) : t("progressEmbed");
    case "test":
      return total > 0 ? t("progressTestCount", number(Math.min(done + 1, total)), number(total)) : t("progressTest");
    case "part":
      return t("progressPart", number(Math.min(done + 1, total)), number(total));
    case "prefill":
    case "decode":
      return t("progressWrite");
  }
}

/** The keys that open Pith, as the browser names them; empty where none are set. */
let shortcut = "";

/** Asks the browser for the keyboard shortcut: the user may have changed it. */
export async function readShortcut(): Promise<void> {
  const commands = await chrome.commands.getAll();
  shortcut = commands.find(({ name }) => name === "_execute_action")?.shortcut ?? "";
}

/** The keys that open Pith; empty where none are set. */
export const shortcutKeys = (): string => shortcut;

/** Which keys open Pith, or where to set them. */
export const shortcutWords = (): string =>
  shortcut ? t("shortcut", shortcut) : t("shortcutNone", platform.shortcutsAddress);

/** An error in words: what happened, and what to do. */
export interface Words {
  message: string;
  help: string;
  detail: string;
}

/** The extension's own sentences where it has some for this code, else the worker's. */
export function failureWords({ code, message, help, detail }: ErrorData): Words {
  // The lines of a server's error are what its sentences name.
  const values = code.startsWith("server_") ? detail.split("\n") : [platform.extensionsAddress];
  const own = fill(`error_${code}`, values);
  const ownHelp =
    (shortcut && code === "page_needs_permission" && t("error_page_needs_permission_help_shortcut", shortcut)) ||
    fill(`error_${code}_help`, values);
  return {
    message: own || message || t("error_unexpected"),
    help: ownHelp || help || (own ? "" : t("error_unexpected_help")),
    detail: detail ? `${code}: ${detail}` : code,
  };
}
