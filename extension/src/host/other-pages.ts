// Pages of other tabs in a tab's conversation.
import type { Answer, Block, Page } from "@pith/web";
import {
  type LeaveReason,
  type LeftPage,
  type OtherPage,
  PAGE_TITLE_CHARS_MAX,
  type PagePassage,
  PAGES_MAX,
} from "../pages-wire.js";
import type { ReadPage } from "../wire.js";

/** Text of all pages together, in UTF-16 code units: the worker reads at most 4 MiB of UTF-8. */
const UNITS_MAX = 1_300_000;

/** What is asked: one page, or several that stand one behind the other as one. */
export interface Asked {
  page: Page;
  /** The ids of the pages of other tabs. */
  ids: number[];
  /** Gives every passage of an answer back to its own page. */
  sort(answer: Answer): Answer;
  /** From a private window, as all of them are then. */
  isPrivate: boolean;
}

interface Held {
  id: number;
  tab: number;
  read: ReadPage;
}

/** The pages, and the page that is made of all of them. */
export class OtherPages {
  #held: Held[] = [];
  #nextId = 1;
  #asked: { own: Page; asked: Asked } | null = null;

  get list(): readonly Held[] {
    return this.#held;
  }

  /** What panels are told. */
  get told(): OtherPage[] {
    return this.#held.map(({ id, tab, read: { key, page, pageStarts, times } }) => {
      const { title, language = null } = page;
      return {
        id,
        tab,
        key,
        title: title.slice(0, PAGE_TITLE_CHARS_MAX),
        language,
        ...(pageStarts && { pageStarts }),
        ...(times && { times }),
      };
    });
  }

  /** Whether this page of a tab, or this part of it, is here already. */
  has(tab: number, { key, part = null }: ReadPage): boolean {
    return this.#held.some((one) => one.tab === tab && one.read.key === key && (one.read.part ?? null) === part);
  }

  /** False where there is no room; the tab's own page counts as well. */
  add(tab: number, read: ReadPage): boolean {
    if (this.#held.length + 1 >= PAGES_MAX) return false;
    this.#held = [...this.#held, { id: this.#nextId++, tab, read }];
    this.#asked = null;
    return true;
  }

  /** Drops pages; gives their ids. */
  drop(isDropped: (page: Held) => boolean): number[] {
    const dropped = this.#held.filter(isDropped).map(({ id }) => id);
    if (dropped.length === 0) return [];
    this.#held = this.#held.filter(({ id }) => !dropped.includes(id));
    this.#asked = null;
    return dropped;
  }

  /** All pages as one, the tab's own first. It is the same object until a page comes or goes: the worker knows it then. */
  with({ page: own, isPrivate }: Pick<ReadPage, "page" | "isPrivate">): Asked {
    if (this.#asked?.own !== own) this.#asked = { own, asked: { ...join(own, this.#held), isPrivate } };
    return this.#asked.asked;
  }
}

/** Why pages are gone, where their reader was not the one who took them out. */
export const leftPage = (ids: readonly number[], why: LeaveReason): LeftPage | null =>
  why === "removed" || ids[0] === undefined ? null : { id: ids[0], why };

function join(own: Page, others: readonly Held[]): Omit<Asked, "isPrivate"> {
  if (others.length === 0) return { page: own, ids: [], sort: (answer) => answer };
  const pages = [own, ...others.map(({ read }) => read.page)];
  const share = shareOf(pages);
  const blocks = cut(own.blocks, share);
  const starts = others.map(({ id, read: { page } }) => {
    // Text at the beginning of a page must not stand under the last heading of the one before.
    blocks.push({ kind: "heading", text: page.title.slice(0, PAGE_TITLE_CHARS_MAX) });
    const start = blocks.length;
    for (const block of cut(page.blocks, share)) blocks.push(block);
    return { id, start };
  });
  const languages = new Set(pages.map(({ language }) => language ?? null));
  const page: Page = {
    title: pages.map(({ title }) => title.slice(0, PAGE_TITLE_CHARS_MAX)).join(" · "),
    description: null,
    // Where the pages have several, the worker finds the one that most of the text is in.
    language: languages.size === 1 ? (own.language ?? null) : null,
    blocks,
    // The title that is put before a page belongs to it.
    starts: starts.map(({ start }) => start - 1),
  };
  const place = (passage: PagePassage): PagePassage => {
    const found = starts.findLast(({ start }) => start <= passage.block + 1);
    return found ? { ...passage, page: found.id, block: Math.max(0, passage.block - found.start) } : passage;
  };
  const sort = (answer: Answer): Answer => {
    const { written } = answer;
    return {
      ...answer,
      passages: answer.passages.map(place),
      written: written && { ...written, passages: written.passages.map(place) },
    };
  };
  return { page, ids: others.map(({ id }) => id), sort };
}

const unitsOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0);

/** How much of each page is read: everything, or equal shares where it is too much. */
function shareOf(pages: readonly Page[]): number {
  const all = pages.reduce((sum, { blocks }) => sum + unitsOf(blocks), 0);
  return all <= UNITS_MAX ? Infinity : Math.floor(UNITS_MAX / pages.length);
}

/** The beginning of a page, as much as its share has room for. */
function cut(blocks: readonly Block[], share: number): Block[] {
  let left = share;
  return blocks.flatMap((block) => {
    const text = block.text.slice(0, Math.max(0, left));
    left -= block.text.length;
    return text === "" ? [] : [{ ...block, text }];
  });
}
