import type { CaptionTimes } from "../caption-times.js";
import type { Spoken } from "./captions/read.js";

/** They travel with every step of a summary. */
const TIMES_MAX = 4_000;

/** When captions are heard, by the numbers of their blocks, which come behind `from` blocks of the page. */
export function timesOf(from: number, spoken: readonly (Spoken | null)[]): CaptionTimes {
  const count = spoken.reduce((sum, one) => sum + (one?.times.length ?? 0), 0);
  const step = Math.max(1, Math.ceil(count / TIMES_MAX));
  return spoken.flatMap((one, at) =>
    (one?.times ?? [])
      // The first of a block stays: without one a block counts as text of the page.
      .filter((_, place) => place % step === 0)
      .map(([offset, seconds]): [number, number, number] => [from + at, offset, Math.round(seconds * 10) / 10]),
  );
}
