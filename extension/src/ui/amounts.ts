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

/** "5 sec", "2 min", "1.3 hr": without false precision. */
export function roughly(ms: number): string {
  if (ms < 59_500) return inUnit(Math.max(1, Math.round(ms / 1000)), "second", 0);
  if (ms < 3_570_000) return inUnit(Math.round(ms / 60_000), "minute", 0);
  return inUnit(ms / 3_600_000, "hour");
}

/** "about 5 sec left". */
export const timeLeft = (ms: number): string => t("timeLeft", roughly(ms));

/** today, 3 days ago. */
export function ago(ms: number): string {
  const days = Math.max(0, Math.floor((Date.now() - ms) / 86_400_000));
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-days, "day");
}

/** 12.4 */
export const decimal = (value: number): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
