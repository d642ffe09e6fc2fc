import type { PageDocument } from "../export/document.js";
import type { ExportWords } from "../export/words.js";
import { dateTime, number, t } from "./words.js";

/** The words that exports add, from messages/. */
export const exportWords = (): ExportWords => ({
  language: t("language"),
  direction: t("direction"),
  summary: t("exportSummary"),
  questions: t("exportQuestions"),
  source: t("exportSource"),
  noAnswer: t("nothingFound"),
  translated: t("support_translated"),
  pdfPage: pdfPageWords,
  about: aboutWords,
});

/** When a page was read, and who wrote the lines. */
export const aboutWords = ({ dateMs, writer }: PageDocument): string =>
  writer === null ? t("exportQuoted", dateTime(dateMs)) : t("exportWritten", dateTime(dateMs), writer);

/** Such as "p. 3". */
export const pdfPageWords = (page: number): string => t("pdfPageShort", number(page));
