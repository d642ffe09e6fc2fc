// Pages of other tabs in a conversation.
import type { Passage } from "@pith/web";
import type { CaptionTimes } from "./caption-times.js";
import type { PageStarts } from "./page-starts.js";
import type { ReadPage } from "./wire.js";

/** Pages of a conversation, with the tab's own. */
export const PAGES_MAX = 8;
/** Longest title of a page in a conversation of several. */
export const PAGE_TITLE_CHARS_MAX = 200;

/** A page of another tab. */
export interface OtherPage {
  /** Unique in its conversation; never used again. */
  id: number;
  tab: number;
  /** As of `ReadPage`. */
  key: string;
  title: string;
  language: string | null;
  pageStarts?: PageStarts;
  times?: CaptionTimes;
}

/** Why a page is no longer in a conversation. */
export type LeaveReason = "closed" | "changed" | "removed";

/** A page that left. Its title is not here: the text of a closed tab is gone. */
export interface LeftPage {
  id: number;
  why: Exclude<LeaveReason, "removed">;
}

/** The conversation that a tab's page belongs to. */
export interface Joined {
  /** The tab of the conversation, and the title of its page. */
  tab: number;
  title: string;
  /** Which page of this tab was added, and how many the conversation has. */
  key: string;
  count: number;
}

/** Why a page was not added. Each has its sentences in messages/. */
export type Refusal = "pages_full" | "pages_gone" | "pages_private";

/** A passage of one of several pages: `page` is the id of a page of another tab. */
export type PagePassage = Passage & { page?: number };

export type PagesToHost =
  /** The page of the panel's tab is added to the conversation of the tab `to`. */
  | { type: "join"; request: number; to: number; read: ReadPage }
  /** Takes a page out of the conversation of the panel's tab. */
  | { type: "removePage"; id: number; why: LeaveReason }
  /** The panel's tab shows another page now: what it showed leaves every conversation. */
  | { type: "leave" };
