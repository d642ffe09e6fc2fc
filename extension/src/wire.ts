// Messages between the extension's contexts. All JSON: ports between contexts carry nothing else.
import type {
  Answer,
  BackendChoice,
  ErrorData,
  Page,
  Passage,
  Stage,
  Summary,
  SummaryKind,
  SummaryLength,
  Unsupported,
} from "@pith/web";
import type { Act, ActRequest } from "./acts-wire.js";
import type { Coverage } from "./coverage-wire.js";
import type { EncoderUsed } from "./encoder-wire.js";
import type { PageDocument } from "./export/document.js";
import type { CaptionTimes } from "./caption-times.js";
import type { PageStarts } from "./page-starts.js";
import type { Joined, LeftPage, OtherPage, PagesToHost, Refusal } from "./pages-wire.js";
import type { Roles } from "./roles.js";
import type { Writing } from "./writing-wire.js";

export type { Coverage, LeftOut, LeftOutKind } from "./coverage-wire.js";

/** What the user chose for the host. */
export interface Settings {
  backend: BackendChoice;
  length: SummaryLength;
  /** Who writes; null shows the page's own sentences alone. */
  writer: Roles["writer"];
  /** Which encoder reads; null is the built-in one. */
  encoder: Roles["encoder"];
  kind: SummaryKind;
  /** A BCP 47 tag; null is the page's language. */
  targetLanguage: string | null;
  /** What becomes of a written line that the page does not support. */
  unsupported: Unsupported;
}

/** A page as the host keeps it. `key` says which document and address it was read from. */
export interface ReadPage {
  key: string;
  page: Page;
  /** How much of what is visible was read. */
  coverage: Coverage;
  /** The first words of the part that was read; none where it was the whole page. */
  part?: string | null;
  /** How long reading took. */
  timeMs: number;
  /** When it was read, in milliseconds since 1970. */
  readMs: number;
  /** From a private window: nothing of it is kept. */
  isPrivate: boolean;
  pageStarts?: PageStarts;
  times?: CaptionTimes;
}

/** Work whose result is `T`, in every state it can have. */
export type Job<T> =
  | { phase: "working"; stage: Stage; done: number; total: number; draft?: T }
  | { phase: "done"; result: T }
  | { phase: "failed"; error: ErrorData; draft?: T }
  | { phase: "cancelled"; draft?: T };

/** A question and what became of it. */
export interface Question {
  id: number;
  text: string;
  /** "Another answer" counts up. */
  variant: number;
  /** The model or the server that answers; null shows the passages alone. */
  writer: string | null;
  /** The pages of other tabs that were asked as well, by their ids; none where the tab's own page was asked alone. */
  pages?: number[];
  job: Job<Answer>;
}

/** What is known about the page of one tab. The host holds the truth; panels draw it. */
export interface TabState {
  /** Which page was read, and what its panel shows above the summary. */
  page: {
    key: string;
    title: string;
    description: string | null;
    language: string | null;
    coverage: Coverage;
    part: string | null;
    pageStarts?: PageStarts;
    times?: CaptionTimes;
  } | null;
  summary: Job<Summary> | null;
  /** Which encoder read the page for its questions; null until one was asked. */
  encoder: EncoderUsed | null;
  /** Null where nobody was asked to write. */
  writing: Writing | null;
  questions: Question[];
  /** Pages of other tabs in the conversation, in the order in which they were added. */
  pages: OtherPage[];
  /** A page that the conversation lost last, until the reader has been told. */
  left: LeftPage | null;
  /** The conversation of another tab that this tab's page belongs to. */
  joined: Joined | null;
  /** Newest first. */
  acts: Act[];
  /** Questions that the page answers. */
  suggestions: string[];
  /** Why the last result is not in the history, where it should be. */
  notKept?: ErrorData;
  /** The entry of the page in the history, where there is one. */
  entry?: string;
}

/** From a panel to the host. The port's name says which tab it is about. */
export type ToHost =
  | { type: "summarize"; read: ReadPage; settings: Settings }
  | { type: "summarizeAgain"; settings: Settings }
  /** Nothing is drawn where these blocks stand: the summary, or the answer to a question, is made without them. */
  | { type: "leaveOut"; blocks: number[]; question: number | null; settings: Settings }
  | { type: "write"; settings: Settings; variant: number }
  | { type: "expectQuestion"; settings: Settings }
  | { type: "ask"; text: string; settings: Settings }
  | { type: "retryQuestion"; id: number; settings: Settings }
  | { type: "cancelSummary" }
  | { type: "cancelWriting" }
  | { type: "cancelQuestion"; id: number }
  | { type: "runAction"; request: ActRequest; settings: Settings }
  | { type: "cancelAction"; id: number }
  | { type: "closeAction"; id: number }
  | { type: "newConversation" }
  /** From the panel of a host that has ended: its state, and the page that it is of. */
  | { type: "restore"; read: ReadPage | null; state: TabState }
  | { type: "document"; request: number }
  | PagesToHost
  | { type: "forget" };

/** From the host to the panels of a tab. */
export type ToPanel =
  | { type: "state"; state: TabState }
  /** What there is to copy, save or print: the answer to the request of this number. */
  | { type: "document"; request: number; document: PageDocument | null }
  /** Whether the page was added, or why not. */
  | { type: "join"; request: number; refused: Refusal | null };

/** From the background to the host, without a port. */
export type Notice = { type: "forget"; tab: number };

export const EMPTY_STATE: TabState = {
  page: null,
  summary: null,
  encoder: null,
  writing: null,
  questions: [],
  pages: [],
  left: null,
  joined: null,
  suggestions: [],
  acts: [],
};

/** An address without the place in the page. */
export const addressOf = (url: string): string => url.replace(/#.*$/, "");

/** The address in the key of a page that was read. */
export const addressOfKey = (key: string): string => key.replace(/^\S+ /, "");

const PORT_PREFIX = "panel:";

/** The name of a panel's port. */
export const portName = (tab: number): string => `${PORT_PREFIX}${tab}`;

/** The tab that a port is about, or null where the port is not a panel's. */
export function portTab(name: string): number | null {
  if (!name.startsWith(PORT_PREFIX)) return null;
  const tab = Number(name.slice(PORT_PREFIX.length));
  return Number.isInteger(tab) ? tab : null;
}

/** Where the background leaves a user's wish to summarize, so that a panel finds it whenever it opens. */
export const intentKey = (tab: number): string => `intent.${tab}`;

/** A place in a page. `page`: the id of a page of another tab; absent in the tab's own page. */
export type Source = Pick<Passage, "block" | "start" | "end" | "text" | "parts"> & { page?: number };
