import type { ErrorData } from "@pith/web";

const NAMED = [401, 403, 404, 429];

/** An error of a download with a sentence of its own for what a server answered, or for a machine without a network. */
export function named(error: ErrorData): ErrorData {
  if (error.code === "network_error" && !navigator.onLine) return { ...error, code: "offline" };
  const status = Number(/ status (\d{3})$/.exec(error.detail)?.[1]);
  if (error.code !== "http_status" || !status) return error;
  const known = NAMED.includes(status) ? String(status) : status >= 500 ? "5xx" : "";
  return known ? { ...error, code: `http_${known}` } : error;
}
