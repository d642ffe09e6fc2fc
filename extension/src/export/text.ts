import { seen } from "../text/seen.js";

/** A text in one line. */
export const oneLine = (text: string): string => seen(text.replace(/\s+/g, " ")).trim();

/** A text whose line breaks stay, such as code. */
export const manyLines = (text: string): string => seen(text.replace(/\r\n?/g, "\n"));
