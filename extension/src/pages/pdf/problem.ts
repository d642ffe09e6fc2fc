import { PithError } from "@pith/web";

/** Why a PDF cannot be read. Each has its sentences in messages/. */
export type PdfProblem =
  | "pdf_access"
  | "pdf_http"
  | "pdf_network"
  | "pdf_forbidden"
  | "pdf_not_found"
  | "pdf_server"
  | "pdf_file_address"
  | "pdf_not_pdf"
  | "pdf_too_large"
  | "pdf_broken"
  | "pdf_locked"
  | "pdf_scanned"
  | "pdf_slow"
  | "pdf_none";

export const pdfProblem = (code: PdfProblem, detail = ""): PithError => new PithError({ code, message: "", detail });
