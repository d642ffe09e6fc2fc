import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { beforeEach, describe, expect, it } from "vitest";
import { readDocument } from "../src/pages/pdf/reading.js";

const FONT = "f";
const line = (text: string, y: number) => ({
  str: text,
  dir: "ltr",
  width: text.length * 5,
  height: 10,
  transform: [10, 0, 0, 10, 50, y],
  fontName: FONT,
  hasEOL: true,
});
const TEXT = "The miller repairs the old wheel beside the stone bridge before the evening comes.";
const never = new Promise<never>(() => {});

/** A document as pdf.js gives it. One of its pages is never read. */
function endless(page: number): PDFDocumentProxy {
  const getPage = async (number: number) => ({
    getTextContent: () =>
      number === page
        ? never
        : Promise.resolve({
            items: Array.from({ length: 8 }, (_, at) => line(TEXT, 700 - 12 * at)),
            styles: { [FONT]: { ascent: 0.8, descent: -0.2, vertical: false, fontFamily: "serif" } },
          }),
    getViewport: () => ({ width: 600, height: 800, transform: [1, 0, 0, -1, 0, 800] }),
    getAnnotations: () => Promise.resolve([]),
    cleanup: () => {},
  });
  return { numPages: 5, getPage, getMetadata: () => Promise.resolve(null) } as unknown as PDFDocumentProxy;
}

const read = (page: number, signal = new AbortController().signal, page_ms = 50) =>
  readDocument({ name: "a.pdf", document: endless(page), close: () => {} }, "key", signal, () => {}, page_ms);

beforeEach(() => {
  Object.assign(globalThis, { chrome: { extension: { inIncognitoContext: false } } });
});

describe("a page that takes too long", () => {
  it("is given up, and those before it are read", async () => {
    const { page, coverage } = await read(3);
    expect(page.blocks.map(({ text }) => text).join(" ")).toContain("repairs the old wheel");
    expect(coverage.pages).toEqual({ read: 2, total: 5, withoutText: 0, isSlow: true });
  });

  it("is said where nothing was read before it", async () => {
    await expect(read(1)).rejects.toMatchObject({ code: "pdf_slow", detail: "page 1 of 5" });
  });

  it("does not hold up who cancels", async () => {
    const stop = new AbortController();
    const reading = read(1, stop.signal, 60_000);
    setTimeout(() => stop.abort(new Error("stopped")), 20);
    await expect(reading).rejects.toThrow("stopped");
  });

  it("is not what a document without one has", async () => {
    expect((await read(0)).coverage.pages).toMatchObject({ read: 5, isSlow: false });
  });
});
