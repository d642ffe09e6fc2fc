// The bytes of a document: from an address or from a file, with a limit.
import { originOf, parseAddress } from "../../pdf-wire.js";
import { pdfProblem } from "./problem.js";

/** A file, in memory. */
export interface Bytes {
  name: string;
  data: Uint8Array<ArrayBuffer>;
}

/** Larger files would take more memory than a tab should have. */
export const PDF_BYTES_MAX = 256 * 1024 * 1024;
/** The mark of a PDF stands near the beginning. */
const MARK = "%PDF-";
const MARK_BYTES = 1_024;
/** Hosts whose address may be without https: see the content security policy. */
const LOCAL = /^(?:localhost|127\.0\.0\.1)$/;

/** Loads a document. `total` is 0 where the server does not say it. */
export async function fetchPdf(
  address: string,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Bytes> {
  const url = parseAddress(address);
  if (!url || !/^(?:https?|file):$/.test(url.protocol)) throw pdfProblem("pdf_not_found", address);
  if (url.protocol === "http:" && !LOCAL.test(url.hostname)) throw pdfProblem("pdf_http", address);
  if (url.protocol === "file:") throw pdfProblem("pdf_file_address", address);
  const response = await fetch(url, { credentials: "include", signal }).catch(async (error: unknown) => {
    signal.throwIfAborted();
    throw pdfProblem((await mayAccess(url)) ? "pdf_network" : "pdf_access", `${url.host}: ${String(error)}`);
  });
  if (!response.ok) throw refusal(response);
  const total = Number(response.headers.get("content-length") ?? 0);
  if (total > PDF_BYTES_MAX) throw pdfProblem("pdf_too_large", `${total}`);
  const data = await collect(response, total, signal, onProgress);
  check(data);
  return { name: nameOf(url), data };
}

/** Reads a file that the user chose. It goes nowhere else. */
export async function readFile(file: File): Promise<Bytes> {
  if (file.size > PDF_BYTES_MAX) throw pdfProblem("pdf_too_large", `${file.size}`);
  const data = new Uint8Array(
    await file.arrayBuffer().catch((error: unknown) => {
      throw pdfProblem("pdf_broken", String(error));
    }),
  );
  check(data);
  return { name: file.name, data };
}

const mayAccess = (url: URL): Promise<boolean> => chrome.permissions.contains({ origins: [originOf(url.href)] });

function refusal({ status, url }: Response): Error {
  const detail = `HTTP ${status} ${url}`;
  if (status === 401 || status === 403) return pdfProblem("pdf_forbidden", detail);
  if (status === 404 || status === 410) return pdfProblem("pdf_not_found", detail);
  return pdfProblem("pdf_server", detail);
}

async function collect(
  response: Response,
  total: number,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    const reader = response.body!.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > PDF_BYTES_MAX) {
        await reader.cancel();
        throw pdfProblem("pdf_too_large", `${size}`);
      }
      parts.push(value);
      onProgress(size, total);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof TypeError ? pdfProblem("pdf_network", String(error)) : error;
  }
  const data = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  return data;
}

function check(data: Uint8Array<ArrayBuffer>): void {
  const head = String.fromCharCode(...data.subarray(0, MARK_BYTES));
  if (!head.includes(MARK)) throw pdfProblem("pdf_not_pdf", JSON.stringify(head.slice(0, 60)));
}

/** What a person would call the file. */
export function nameOf(url: URL): string {
  const last = url.pathname.split("/").filter(Boolean).at(-1) ?? url.hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
