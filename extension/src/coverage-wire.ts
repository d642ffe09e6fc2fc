// How much of a page was read, and what was left out.

/** Kinds of what is left out. Each has its words in messages/. */
export type LeftOutKind =
  | "navigation"
  | "linkTables"
  | "sidebar"
  | "footer"
  | "notice"
  | "advertisement"
  | "share"
  | "related"
  | "form"
  | "byline"
  | "notes"
  | "runningHeads"
  | "controls"
  | "other";

/** What was left out of one kind. */
export interface LeftOut {
  kind: LeftOutKind;
  /** Tables or pieces, and their words. */
  count: number;
  words: number;
  texts: string[];
}

/** How much of a page was read, in words. */
export interface Coverage {
  wordsVisible: number;
  wordsRead: number;
  leftOut: LeftOut[];
  /** Of a PDF: its pages, and how many of those that were read hold no text. */
  pages?: { read: number; total: number; withoutText: number };
}
