// Which of the tracks of a video or audio is read.
import { primaryLanguage } from "../../language-tag.js";

/** What a track says of itself. */
export interface TrackFacts {
  readonly kind: string;
  /** BCP 47; "" where it does not say. */
  readonly language: string;
  /** The viewer sees it now. */
  readonly isShown: boolean;
  readonly isDefault: boolean;
}

/** The order in which kinds are preferred. Chapters and metadata are no text. */
const KINDS = ["captions", "subtitles", "descriptions"];

/** The tracks that hold text, the best one first. `languages`: the page's, then the reader's. */
export function ranked<T extends TrackFacts>(tracks: readonly T[], languages: readonly string[]): T[] {
  const wanted = languages.map((one) => one.toLowerCase());
  const key = ({ kind, language, isShown, isDefault }: T): number[] => [
    // What describes a picture to the blind says nothing of what is spoken.
    Number(kind === "descriptions"),
    rankOf(language.toLowerCase(), wanted),
    KINDS.indexOf(kind),
    Number(!isShown),
    Number(!isDefault),
  ];
  return tracks
    .filter(({ kind }) => KINDS.includes(kind))
    .map((track, at) => ({ track, key: [...key(track), at] }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ track }) => track);
}

/** Lower is better: the same language in the same region, the same language, one that is not said, another. */
function rankOf(language: string, wanted: readonly string[]): number {
  if (language === "") return wanted.length * 2;
  const same = wanted.indexOf(language);
  const primary = primaryLanguage(language);
  const akin = wanted.findIndex((one) => primaryLanguage(one) === primary);
  if (akin < 0) return wanted.length * 2 + 1;
  return same === akin ? akin * 2 : akin * 2 + 1;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) {
    const difference = value - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
