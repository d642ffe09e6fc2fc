// Prompts of an exact number of tokens, as text: the peer takes nothing else.

import { numbers } from "../helpers/numbers.ts";

const CONSONANTS = "bcdfghklmnprstvw";
const VOWELS = "aeiou";
/** Words that every vocabulary has as one token when a space precedes them. */
const FILLERS = [" a", " the", " is"];

function word(next: () => number): string {
  const syllable = () => CONSONANTS[next() % CONSONANTS.length]! + VOWELS[next() % VOWELS.length]!;
  return Array.from({ length: 1 + (next() % 3) }, syllable).join("");
}

/** A text that `count` says has so many tokens, the same for the same seed; none is the beginning of another. */
export async function promptOf(
  tokens: number,
  seed: number,
  count: (text: string) => Promise<number>,
): Promise<string> {
  // Both engines read the same prompts.
  const next = numbers(seed + 1);
  const words = Array.from({ length: tokens }, () => word(next));
  const first = (n: number) => words.slice(0, n).join(" ");
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((await count(first(middle))) <= tokens) low = middle;
    else high = middle - 1;
  }
  let text = first(low);
  for (let missing = tokens - (await count(text)); missing > 0; missing = tokens - (await count(text))) {
    const longer = await fitting(text, tokens, count);
    if (longer === null) throw new Error(`no text of exactly ${tokens} tokens found for this vocabulary`);
    text = longer;
  }
  return text;
}

async function fitting(text: string, tokens: number, count: (text: string) => Promise<number>): Promise<string | null> {
  const before = await count(text);
  for (const filler of FILLERS) {
    const after = await count(text + filler);
    if (after > before && after <= tokens) return text + filler;
  }
  return null;
}
