// Pith's page for PDF files: opens one, shows it, and gives its text to the panel.
import { PithError } from "@pith/web";
import { platform } from "#platform";
import { addressOf, intentKey, type ReadPage, type Source } from "../../wire.js";
import { fillWith, part, say, setTitle } from "../../ui/dom.js";
import { createFailure, createProgress } from "../../ui/job.js";
import { called, number, setLanguage, t } from "../../ui/words.js";
import { originOf, parseAddress } from "../../pdf-wire.js";
import { answerPanel } from "./answer.js";
import { findOnPage, partsOf, type Stretch } from "./find.js";
import { openPdf, type Opened } from "./open.js";
import { PagesView } from "./pages-view.js";
import { pdfProblem } from "./problem.js";
import { readDocument } from "./reading.js";
import { type Bytes, fetchPdf, readFile } from "./source.js";
import { createPassword, createStart } from "./states.js";
import { createTools } from "./tools.js";

type OnProgress = (done: number, total: number) => void;
type Get = (signal: AbortSignal, onProgress: OnProgress) => Promise<Bytes>;

/** The document that is shown. */
interface Shown {
  opened: Opened;
  view: PagesView;
  key: string;
  /** Its text, once it was read. */
  read: ReadPage | null;
}

const address = new URLSearchParams(location.search).get("file");
const state = part("state");
const picker = part<HTMLInputElement>("file");
let stop = new AbortController();
let shown: Shown | null = null;
/** What is being opened; rejects with what is wrong with it. */
let opening: Promise<Shown> = Promise.reject(pdfProblem("pdf_none"));
opening.catch(() => {});
let own: chrome.tabs.Tab | undefined;

const tools = createTools(() => picker.click(), summarize);

/** Opens the panel for this tab and leaves the wish for a summary there. */
function summarize(): void {
  if (own?.id === undefined) return;
  platform.openPanel({ id: own.id, windowId: own.windowId });
  void chrome.storage.session.set({ [intentKey(own.id)]: Date.now() });
}

function load(get: Get): void {
  stop.abort();
  stop = new AbortController();
  const { signal } = stop;
  shown?.view.close();
  shown?.opened.close();
  shown = null;
  part("open-file").hidden = false;
  tools.open(null, t("pdfTitle"));
  opening = open(get, signal);
  opening.catch((error: unknown) => {
    if (signal.aborted) return;
    fail(error, get);
  });
}

async function open(get: Get, signal: AbortSignal): Promise<Shown> {
  const progress = createProgress(() => {
    stop.abort();
    opening = Promise.reject(pdfProblem("pdf_none"));
    opening.catch(() => {});
    begin();
  });
  progress.draw("pdf", 0, 0);
  fillWith(state, progress.element);
  const bytes = await get(signal, (done, total) => progress.draw("pdf", done, total));
  signal.throwIfAborted();
  const opened = await openPdf(bytes, (isWrong) => askPassword(bytes.name, isWrong, signal));
  if (signal.aborted) opened.close();
  signal.throwIfAborted();
  fillWith(state);
  tools.open(null, opened.name);
  part("pages").hidden = false;
  const view = await PagesView.open(part("pages"), opened.document, () => tools.update());
  const [fingerprint] = opened.document.fingerprints;
  shown = { opened, view, key: `pdf-${fingerprint} ${addressOf(location.href)}`, read: null };
  tools.open(view, opened.name);
  setTitle(opened.name);
  say(part("live"), t("pdfOpened", called(opened.name), number(view.count)));
  return shown;
}

function askPassword(name: string, isWrong: boolean, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const { element, focus } = createPassword(name, isWrong, resolve);
    signal.addEventListener("abort", () => resolve(null), { once: true });
    fillWith(state, element);
    focus();
  });
}

/** Nothing is open: the place for a file. */
function begin(): void {
  tools.open(null, t("pdfTitle"));
  // The place has the same button, and says more.
  part("open-file").hidden = true;
  fillWith(
    state,
    createStart(() => picker.click()),
  );
}

function fail(error: unknown, get: Get): void {
  const data =
    error instanceof PithError ? error.toData() : { code: "unexpected", message: "", help: "", detail: String(error) };
  const retry = { label: t("retry"), run: () => load(get) };
  const choose = { label: t("pdfOpenFile"), run: () => picker.click() };
  const allow = {
    label: t("pdfAllow", parseAddress(address ?? "")?.host ?? ""),
    // Asked at this click, for this host.
    run: () =>
      void chrome.permissions.request({ origins: [originOf(address ?? "")] }).then((granted) => granted && load(get)),
  };
  const actions: Partial<Record<string, (typeof retry)[]>> = {
    pdf_access: [allow, retry],
    pdf_http: [choose],
    pdf_file_address: [choose],
    pdf_not_pdf: [choose],
    pdf_too_large: [choose],
    pdf_broken: [retry, choose],
  };
  tools.open(null, t("pdfTitle"));
  fillWith(state, createFailure(data, actions[data.code] ?? [retry]));
}

/** Reads the document that is shown, or is about to be. */
async function read(signal: AbortSignal, onProgress: OnProgress): Promise<ReadPage> {
  const wanted = await new Promise<Shown>((resolve, reject) => {
    opening.then(resolve, reject);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  const result = await readDocument(wanted.opened, wanted.key, signal, onProgress);
  wanted.read = result;
  return result;
}

async function show(source: Source, marks: boolean): Promise<boolean> {
  if (!shown) return false;
  const { view } = shown;
  // The document may have been opened anew since.
  const { page, pageStarts = [] } = shown.read ?? (await read(stop.signal, () => {}));
  const block = page.blocks[source.block]?.text;
  if (block === undefined || block.slice(source.start, source.end) !== source.text) return false;
  const found = new Map<number, Stretch[]>();
  for (const one of partsOf(source, block, pageStarts)) {
    const items = await view.itemsOf(one.page);
    const stretches = items ? findOnPage(items, one) : [];
    if (stretches.length > 0) found.set(one.page, stretches);
  }
  await view.show(found, marks);
  return found.size > 0;
}

function watchFiles(): void {
  const take = (file: File | undefined): void => {
    if (file) load(() => readFile(file));
  };
  const takeChosen = (): void => {
    take(picker.files?.[0]);
    picker.value = "";
  };
  picker.addEventListener("change", takeChosen);
  const drop = (dropping: boolean): void => void document.body.classList.toggle("dropping", dropping);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    drop(true);
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && drop(false));
  addEventListener("drop", (event) => {
    event.preventDefault();
    drop(false);
    take(event.dataTransfer?.files[0]);
  });
  // One may have been chosen before this script ran.
  takeChosen();
}

setLanguage(t("pdfTitle"));
if (address === null) begin();
else load((signal, onProgress) => fetchPdf(address, signal, onProgress));
watchFiles();
addEventListener("keydown", (event) => event.key === "Escape" && shown?.view.clear());
answerPanel({ key: () => shown?.key ?? null, read, show, clear: () => shown?.view.clear() });
void chrome.tabs.getCurrent().then((tab) => (own = tab));
