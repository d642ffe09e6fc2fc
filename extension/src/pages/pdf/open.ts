// Opens a document with pdf.js, whose worker and tables are in the package.
import {
  getDocument,
  GlobalWorkerOptions,
  type PDFDocumentProxy,
  PasswordResponses,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import { fetchPacked } from "../../ui/packed.js";
import { pdfProblem } from "./problem.js";
import type { Bytes } from "./source.js";

GlobalWorkerOptions.workerSrc = chrome.runtime.getURL("/pdfjs/pdf.worker.min.mjs");

/** Gives pdf.js its tables of encodings and its decoders of pictures. */
class PackedFiles {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const file = await fetchPacked(`pdfjs/${kind === "cMapUrl" ? "cmaps" : "wasm"}/${filename}`);
    return new Uint8Array(await file.arrayBuffer());
  }
}

/** Pictures of more points are left out of what is drawn. */
const IMAGE_POINTS_MAX = 64 * 1024 * 1024;

/** An open document. */
export interface Opened {
  name: string;
  document: PDFDocumentProxy;
  close(): void;
}

/**
 * Opens a document. `askPassword` is called as often as a password is wrong; null gives up.
 */
export async function openPdf(
  { name, data }: Bytes,
  askPassword: (isWrong: boolean) => Promise<string | null>,
): Promise<Opened> {
  const task = getDocument({
    data,
    BinaryDataFactory: PackedFiles,
    cMapPacked: true,
    maxImageSize: IMAGE_POINTS_MAX,
    enableXfa: false,
    verbosity: 0,
  });
  let gaveUp = false;
  task.onPassword = (answer: (password: string | Error) => void, reason: number): void => {
    void askPassword(reason === PasswordResponses.INCORRECT_PASSWORD).then((password) => {
      gaveUp = password === null;
      answer(password ?? new Error("no password"));
    });
  };
  try {
    const document = await task.promise;
    return { name, document, close: () => void task.destroy() };
  } catch (error) {
    void task.destroy();
    throw pdfProblem(gaveUp ? "pdf_locked" : "pdf_broken", String(error));
  }
}
