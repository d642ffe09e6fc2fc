// What short lines hold: a price, a version, a label with its value.
import { wordsIn } from "../blocks/text.js";

const SIGN = "[$€£¥₹₽₩₺₫฿₴₪]";
const CODE =
  "EUR|USD|GBP|CHF|JPY|CNY|INR|RUB|SEK|NOK|DKK|PLN|CZK|HUF|TRY|BRL|KRW|AUD|CAD|NZD|euros?|dollars?|pounds?|kr|zł|Kč|Ft|руб|грн";
const AFTER = `${SIGN}|(?:${CODE})(?![\\p{L}\\p{N}])|円|元|원|บาท|ريال|درهم|دينار|جنيه`;
const AMOUNT = "\\p{N}(?:[\\p{N}.,'’\\u00A0\\u202F ]*\\p{N})?(?:,?[-–—])?";
const PRICE = new RegExp(`(?:${SIGN}|(?<![\\p{L}\\p{N}])(?:${CODE}))\\s?${AMOUNT}|${AMOUNT}\\s?(?:${AFTER})`, "iu");
const PRICES = new RegExp(PRICE.source, "giu");

/** A version, with the name before it and a date behind it, and nothing else. */
const VERSION =
  /^(?:\p{L}[\p{L}\p{M}\p{N}'’_-]*\s+){0,4}[[(]?v?(?:0|[1-9]\p{N}{0,3})(?:\.\p{N}{1,6}){1,3}(?:[-\s.]?(?:alpha|beta|rc|pre)[\p{N}.-]*)?[\])]?(?![\p{L}\p{N}%])(?:\s*[·(–—-].{0,40}|[\s,]+.{0,16}\p{N}{4}.{0,12})?$/iu;

/** A label before a colon, and something behind it. */
const LABELLED = /^([^:：.!?。！？]{2,48})[:：]\s*(\S.*)$/su;
const LABELS_INSIDE = /(?:^|[\s|·•,;])[\p{L}][\p{L}\p{M}()\s]{1,28}[:：]\s*[^:：\s]/gu;
const LABEL_WORDS_MAX = 6;
const VALUE_WORDS_MAX = 20;
const LINE_CHARS_MAX = 240;
const LABELS_INSIDE_MIN = 3;

export const hasPrice = (text: string): boolean => isShort(text) && hasNumber(text) && PRICE.test(text);
export const pricesIn = (text: string): number => text.slice(0, LINE_CHARS_MAX).match(PRICES)?.length ?? 0;
export const hasVersion = (text: string): boolean => isShort(text) && hasNumber(text) && VERSION.test(text);
const isShort = ({ length }: string): boolean => length <= LINE_CHARS_MAX;
export const hasNumber = (text: string): boolean => /\p{N}/u.test(text);

export interface Labelled {
  readonly label: string;
  readonly value: string;
}

/** The label and the value of a short line with a colon. */
export function labelled(text: string): Labelled | null {
  const [, label = "", value = ""] = text.length <= LINE_CHARS_MAX ? (LABELLED.exec(text) ?? []) : [];
  return pairOf(label, value);
}

/** The same for a label and a value that the page sets apart. */
export function pairOf(label: string, value: string): Labelled | null {
  const [words, valueWords] = [wordsIn(label).length, wordsIn(value).length];
  const isLabel = /\p{L}/u.test(label) && words <= LABEL_WORDS_MAX && !/[.!?。！？]$/.test(label.trim());
  return isLabel && valueWords > 0 && valueWords <= VALUE_WORDS_MAX ? { label, value } : null;
}

/** Several labels with their values in one line, some of them numbers. */
export function isRunOfPairs(text: string): boolean {
  if (text.length > 2 * LINE_CHARS_MAX || !/[:：]/.test(text)) return false;
  const labels = text.match(LABELS_INSIDE)?.length ?? 0;
  const numbers = text.match(/\p{N}+/gu)?.length ?? 0;
  return (
    labels >= LABELS_INSIDE_MIN && numbers >= labels && !/[.!?。！？]\s+\p{Lu}\p{Ll}+\s\p{Ll}+\s\p{Ll}+/u.test(text)
  );
}
