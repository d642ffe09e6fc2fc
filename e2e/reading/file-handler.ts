// Serves a file under the type that servers commonly send for its name.

import { readFileSync } from "node:fs";
import { extname } from "node:path";
import type { Handler } from "../harness/server.ts";

/** Text files are sent without a charset only where their format says it itself. */
const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".htm": "text/html",
  ".xhtml": "application/xhtml+xml",
  ".xht": "application/xhtml+xml",
  ".xml": "application/xml",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
};

/** Answers with the file. HTML that names no charset is sent as UTF-8. */
export function fileHandler(file: string): Handler {
  const bytes = readFileSync(file);
  const type = TYPES[extname(file).toLowerCase()] ?? "text/plain; charset=utf-8";
  const namesCharset = /<meta[^>]+charset/i.test(bytes.subarray(0, 4096).toString("latin1"));
  const isBare = type === "text/html" && !namesCharset;
  return (_, response) => void response.setHeader("content-type", isBare ? `${type}; charset=utf-8` : type).end(bytes);
}
