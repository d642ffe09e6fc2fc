// Answers the panel of this tab.
import { PithError } from "@pith/web";
import { isPanel } from "../../host/senders.js";
import { PDF_PORT, type PdfAnswer, type PdfReading, type ToPdf } from "../../pdf-wire.js";
import type { ReadPage, Source } from "../../wire.js";

/** Progress comes faster than anyone can read. */
const TELL_MS = 100;

/** What this page can be asked. */
export interface Answers {
  key(): string | null;
  read(signal: AbortSignal, onProgress: (done: number, total: number) => void): Promise<ReadPage>;
  show(source: Source, marks: boolean): Promise<boolean>;
  clear(): void;
}

export function answerPanel(answers: Answers): void {
  chrome.runtime.onMessage.addListener((message: ToPdf, sender, respond: (answer: PdfAnswer) => void) => {
    if (message.type !== "pdf" || !isPanel(sender)) return undefined;
    void answer(answers, message).then(respond);
    return true;
  });
  chrome.runtime.onConnect.addListener((port) => {
    if (port.name !== PDF_PORT) return;
    if (!isPanel(port.sender)) return port.disconnect();
    void read(answers, port);
  });
}

async function answer(answers: Answers, message: ToPdf): Promise<PdfAnswer> {
  if (message.ask === "clear") answers.clear();
  const found = message.ask === "show" && (await answers.show(message.source, message.marks).catch(() => false));
  return { key: answers.key(), found };
}

async function read(answers: Answers, port: chrome.runtime.Port): Promise<void> {
  const stop = new AbortController();
  port.onDisconnect.addListener(() => stop.abort());
  const tell = (reading: PdfReading): void => {
    if (!stop.signal.aborted) port.postMessage(reading);
  };
  let told_ms = -Infinity;
  try {
    const result = await answers.read(stop.signal, (done, total) => {
      if (performance.now() - told_ms < TELL_MS) return;
      told_ms = performance.now();
      tell({ phase: "reading", done, total });
    });
    tell({ phase: "done", read: result });
  } catch (error) {
    const data =
      error instanceof PithError
        ? error.toData()
        : { code: "unexpected", message: "", help: "", detail: String(error) };
    tell({ phase: "failed", error: data });
  }
}
