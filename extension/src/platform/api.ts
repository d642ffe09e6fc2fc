import type { Notice } from "../wire.js";

/** What browsers do differently. Everything else in the extension is the same code. */
export interface Platform {
  /** Shows the panel for a tab. Must be called in the same task as the user's click. */
  openPanel(tab: { id: number; windowId: number }): void;
  /** Shows the panel for a tab that was opened from a panel: the click there still counts. */
  takePanelTo(tab: { id: number; windowId: number }): void;
  /** Asks for access to a site where the press of the toolbar button on one of its tabs does not give it to our pages. */
  askForSite(address: string): Promise<boolean>;
  /** Makes sure that the context which hosts the worker is there. */
  ensureHost(): Promise<void>;
  /** Tells the host, where it does not hear the browser's events itself. */
  notifyHost(notice: Notice): void;
  /** What a failed attempt to run in a tab means, by the browser's own words. */
  accessProblem(error: unknown): AccessProblem;
  /** Why a tab is closed to us although the user asked for it just now. */
  refusal(tab: { url?: string | undefined; title?: string | undefined }): Promise<AccessProblem>;
  /** What the user is asked for before the extension connects to a server of theirs. */
  serverPermission(url: URL): chrome.permissions.Permissions;
  /** Where the user sets keyboard shortcuts. */
  readonly shortcutsAddress: string;
  /** Where the user gives the extension access to files. */
  readonly extensionsAddress: string;
}

/** Why a page cannot be read. Each has its sentences in messages/. */
export type AccessProblem =
  | "page_restricted"
  | "page_store"
  | "page_file"
  | "page_needs_permission"
  | "page_error"
  | "page_gone"
  | "page_pdf"
  | "page_unreadable";

/** The browser's words, matched in order. The wording is not an interface: what matches nothing is `page_unreadable`. */
export function matchProblem(error: unknown, table: readonly (readonly [RegExp, AccessProblem])[]): AccessProblem {
  const words = error instanceof Error ? error.message : String(error);
  return table.find(([pattern]) => pattern.test(words))?.[1] ?? "page_unreadable";
}
