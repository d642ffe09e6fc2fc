// Files whose text the browser shows as it is.
import { page } from "../own.js";

export const isPlainType = (): boolean => /^text\/(?:plain|(?:x-)?markdown)$/.test(page.contentType());
export const isMarkdown = (): boolean =>
  /^text\/(?:x-)?markdown$/.test(page.contentType()) ||
  (isPlainType() && /\.(?:md|markdown)$/i.test(location.pathname));
