// Which page a passage is from, in words.
import { pageOf, type PageStarts } from "../page-starts.js";
import type { PagePassage } from "../pages-wire.js";
import { number, quoted, t } from "../ui/words.js";
import type { TabState } from "../wire.js";

/** Tells the pages of passages apart. */
export interface PageNames {
  /** Marks have titles, which may be long. */
  hasTitles: boolean;
  /** Null where there is one page, without numbered pages. */
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
      return [title, place].filter((one) => one !== null).join(" · ") || null;
    },
    language: (passage) => find(passage)?.language ?? null,
  };
}

/** On which page of a PDF a passage begins. */
const placeIn = (starts: PageStarts, { block, start }: PagePassage): string =>
  t("pdfPageShort", number(pageOf(starts, block, start)));
