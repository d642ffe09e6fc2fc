import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { beforeEach, describe, expect, it } from "vitest";
import { readDocument } from "../src/pages/pdf/reading.js";
import { writePage } from "./pdf-file.js";

const worker = createRequire(import.meta.url).resolve("pdfjs-dist/legacy/build/pdf.worker.mjs");
GlobalWorkerOptions.workerSrc = pathToFileURL(worker).href;

const TEXT = "The miller repairs the old wheel beside the stone bridge before the evening comes.";
const LINES = Array.from({ length: 8 }, (_, at) => `BT /F 11 Tf 60 ${700 - 12 * at} Td (${TEXT}) Tj ET\n`).join("");
const never = new Promise<never>(() => {});

/** A document of five pages, all the same. One of them is never read. */
async function endless(slow: number): Promise<PDFDocumentProxy> {
  const document = await getDocument({ data: writePage({ content: LINES }), verbosity: 0 }).promise;
  const page = await document.getPage(1);
  return {
    numPages: 5,
    getPage: async (number: number) => (number === slow ? { getTextContent: () => never } : page),
    getMetadata: () => document.getMetadata(),
    getOptionalContentConfig: () => document.getOptionalContentConfig(),
  } as unknown as PDFDocumentProxy;
}

async function read(slow: number, signal = new AbortController().signal, page_ms = 500) {
  const document = await endless(slow);
  return readDocument({ name: "a.pdf", document, close: () => {} }, "key", signal, () => {}, page_ms);
}

beforeEach(() => {
  Object.assign(globalThis, { chrome: { extension: { inIncognitoContext: false } } });
});

describe("a page that takes too long", () => {
  it("is given up, and those before it are read", async () => {
    const { page, coverage } = await read(3);
    expect(page.blocks.map(({ text }) => text).join(" ")).toContain("repairs the old wheel");
    expect(coverage.pages).toEqual({ read: 2, total: 5, withoutText: 0, layers: 0, isSlow: true });
  });

  it("is said where nothing was read before it", async () => {
    await expect(read(1)).rejects.toMatchObject({ code: "pdf_slow", detail: "page 1 of 5" });
  });

  it("does not hold up who cancels", async () => {
    const stop = new AbortController();
    const reading = read(1, stop.signal, 60_000);
    setTimeout(() => stop.abort(new Error("stopped")), 200);
    await expect(reading).rejects.toThrow("stopped");
  });

  it("is not what a document without one has", async () => {
    expect((await read(0)).coverage.pages).toMatchObject({ read: 5, isSlow: false });
  });
});
