// Where a passage is, in words.
import { clockTime, secondOf } from "../caption-times.js";
import { pageOf, type PageStarts } from "../page-starts.js";
import type { PagePassage } from "../pages-wire.js";
import { pdfPageWords } from "../ui/export-words.js";
import { quoted } from "../ui/words.js";
import type { TabState } from "../wire.js";
import { sourceKey } from "./panel.js";

/** Tells the pages of passages apart. */
export interface PageNames {
  /** Marks have titles, which may be long. */
  hasTitles: boolean;
  /** Which of several pages, the page of a PDF, the time in captions; null where there is nothing to tell. */
  mark(passage: PagePassage): string | null;
  language(passage: PagePassage): string | null;
  /** It was looked for again, and is not on the page any more. */
  isGone(passage: PagePassage): boolean;
}

/** The state, and the passages that are gone, by their keys. */
export interface Named {
  state: TabState;
  gone: ReadonlySet<string>;
}

/** `isSeveral`: passages may be of several pages, so that each says which. */
export function namePages({ state: { page: own, pages }, gone }: Named, isSeveral = false): PageNames {
  const find = ({ page }: PagePassage) => (page === undefined ? own : pages.find(({ id }) => id === page));
  return {
    hasTitles: isSeveral,
    mark(passage) {
      const found = find(passage);
      const title = isSeveral && found ? quoted(found.title) : null;
      const place = found?.pageStarts ? placeIn(found.pageStarts, passage) : null;
      const second = found?.times ? secondOf(found.times, passage.block, passage.start) : null;
      return (
        [title, place, second === null ? null : clockTime(second)].filter((one) => one !== null).join(" · ") || null
      );
    },
    language: (passage) => find(passage)?.language ?? null,
    isGone: (passage) => gone.has(sourceKey(passage)),
  };
}

/** On which page of a PDF a passage begins. */
const placeIn = (starts: PageStarts, { block, start }: PagePassage): string =>
  pdfPageWords(pageOf(starts, block, start));
