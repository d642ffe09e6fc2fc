// Sizes, speeds and times in the reader's language.
import { locale, t } from "./words.js";

const inUnit = (value: number, unit: string, digits = value < 9.95 ? 1 : 0): string =>
  new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: digits })
    .format(value)
    .replaceAll(" ", "\u00a0");

/** 12 kB, 230 MB, 1.1 GB, never broken over two lines. */
export function bytes(count: number): string {
  if (count < 999.5e3) return inUnit(Math.max(count, 0) / 1e3, "kilobyte");
  return count < 999.5e6 ? inUnit(count / 1e6, "megabyte") : inUnit(count / 1e9, "gigabyte");
}

/** 12 MB a second. */
export const speed = (bytesPerS: number): string => t("speed", bytes(bytesPerS));

/** How long something still takes, in whole units. */
export function timeLeft(ms: number): string {
  if (ms < 59_500) return t("timeLeft", inUnit(Math.max(1, Math.round(ms / 1000)), "second", 0));
  if (ms < 3_570_000) return t("timeLeft", inUnit(Math.round(ms / 60_000), "minute", 0));
  return t("timeLeft", inUnit(ms / 3_600_000, "hour"));
}

/** today, 3 days ago. */
export function ago(ms: number): string {
  const days = Math.max(0, Math.floor((Date.now() - ms) / 86_400_000));
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-days, "day");
}

/** 12.4 */
export const decimal = (value: number): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
