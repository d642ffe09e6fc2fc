// A tab that shows a PDF is closed to scripts: it is offered to read the file in Pith's own page.
import type { ErrorData } from "@pith/web";
import { platform } from "#platform";
import { isPdf } from "../pdf-type.js";
import { pdfPageFor } from "../pdf-wire.js";
import { intentKey } from "../wire.js";
import type { Panel } from "./panel.js";

/** Problems behind which a PDF may be. */
const MAY_BE_PDF = new Set(["page_pdf", "page_restricted", "page_unreadable", "page_needs_permission"]);

/** Turns the problem of a tab that shows a PDF into the offer. The file's address becomes its detail. */
export async function offerPdf(panel: Panel, problem: ErrorData): Promise<void> {
  if (!MAY_BE_PDF.has(problem.code)) return;
  const { url } = await chrome.tabs.get(panel.tab).catch(() => ({ url: undefined }));
  if (!url || !/^(?:https?|file):/.test(url)) return;
  const isNamed = problem.code === "page_pdf" || /\.pdf$/i.test(new URL(url).pathname);
  if (!isNamed && !(await isPdf(url))) return;
  problem.code = "page_pdf";
  problem.detail = url;
}

/** Opens the PDF page for the address that was offered. Called in the task of a click. */
export async function readPdf(panel: Panel): Promise<void> {
  const address = panel.model.problem?.detail ?? "";
  // A refusal is no end: the page says what it means, and asks once more.
  await platform.askForSite(address).catch(() => false);
  const { index, windowId } = await chrome.tabs.get(panel.tab);
  const url = pdfPageFor(address);
  const tab = await chrome.tabs.create({ url, windowId, index: index + 1, openerTabId: panel.tab });
  if (tab.id === undefined) return;
  await chrome.storage.session.set({ [intentKey(tab.id)]: Date.now() });
  platform.takePanelTo({ id: tab.id, windowId: tab.windowId });
}
