// Where a passage is, in words.
import { clockTime, secondOf } from "../caption-times.js";
import { pageOf, type PageStarts } from "../page-starts.js";
import type { PagePassage } from "../pages-wire.js";
import { pdfPageWords } from "../ui/export-words.js";
import { quoted } from "../ui/words.js";
import type { TabState } from "../wire.js";

/** Tells the pages of passages apart. */
export interface PageNames {
  /** Marks have titles, which may be long. */
  hasTitles: boolean;
  /** Which of several pages, the page of a PDF, the time in captions; null where there is nothing to tell. */
  mark(passage: PagePassage): string | null;
  language(passage: PagePassage): string | null;
}

/** `isSeveral`: passages may be of several pages, so that each says which. */
export function namePages({ page: own, pages }: TabState, isSeveral = false): PageNames {
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
  };
}

/** On which page of a PDF a passage begins. */
const placeIn = (starts: PageStarts, { block, start }: PagePassage): string =>
  pdfPageWords(pageOf(starts, block, start));
