/** Controls and marks that turn the direction of what follows. They would reach into the texts around. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

/** A text in one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").replace(UNSEEN, "").trim();

/** A text whose line breaks stay, such as code. */
export const manyLines = (text: string): string => text.replace(/\r\n?/g, "\n").replace(UNSEEN, "");
