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
  | "other"
  /** It no longer holds: it is struck out. */
  | "struck"
  /** Formulas that are drawn without a text. */
  | "formulas"
  /** Sections that are closed; `texts` holds what heads them. */
  | "closed"
  /** Text that keeps its room and is not shown yet; `texts` holds none of it. */
  | "unseen"
  /** Text of a PDF that cannot be seen; `texts` holds none of it. */
  | "hidden"
  /** Letters of a PDF whose font does not say what they are; `texts` holds none of them. */
  | "garbled"
  /** Text of which nobody can tell whether it is seen, or as it is written; `texts` holds none of it. */
  | "unsure"
  /** Text in drawings. */
  | "drawings"
  /** Frames of other sites. */
  | "foreignFrames";

/** What pressing a button can bring to light. */
export const UNFOLDABLE: readonly LeftOutKind[] = ["closed", "unseen"];

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
  /** Closed sections of the page that were opened to be read. */
  opened?: number;
  /**
   * Of a PDF: its pages; of those that were read, how many hold no text, on how many it is the invisible layer of a scan, and whether the first
   * unread one took too long.
   */
  pages?: { read: number; total: number; withoutText: number; layers: number; isSlow?: boolean };
}
