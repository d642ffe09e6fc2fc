// Who says what on the page, and when, by the numbers of its blocks.
import type { Origins } from "../origins.js";
import type { Spoken } from "./captions/read.js";

/** They travel with every step of a summary. */
const TIMES_MAX = 4_000;

/** `authors`: by block of the page, behind which the captions come. Null where nothing is known. */
export function originsOf(authors: readonly (string | null)[], spoken: readonly (Spoken | null)[]): Origins | null {
  const from = authors.length;
  const names = [...authors, ...spoken.map((one) => one?.speaker ?? null)];
  const speakers = names.flatMap((name, at): [number, string][] => (name ? [[at, name]] : []));
  const count = spoken.reduce((sum, one) => sum + (one?.times.length ?? 0), 0);
  const step = Math.max(1, Math.ceil(count / TIMES_MAX));
  const times = spoken.flatMap((one, at) =>
    (one?.times ?? [])
      // The first of a block stays: without one a block counts as text of the page.
      .filter((_, place) => place % step === 0)
      .map(([offset, seconds]): [number, number, number] => [from + at, offset, Math.round(seconds * 10) / 10]),
  );
  return speakers.length + times.length > 0 ? { speakers, times } : null;
}
