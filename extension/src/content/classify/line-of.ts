import { type Container, lineBoxOf } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import { Lines } from "./lines.js";

export type LineKind = NonNullable<ReturnType<Lines["kind"]>>;

/** Which line about the text a block is. Terms, headings and rows of tables may look like one. */
export function lineOf({ kind, text, linked, container, isFormula }: LiveBlock, lines: Lines): LineKind | null {
  // Boxes side by side may be such lines; rows of a table are none.
  if (kind === "table") return isInTable(container) ? null : ofCells(text, lines);
  if (kind === "code") return Lines.isPageNumber(text) ? "counts" : null;
  const isOther = isFormula || lineBoxOf(container).tag === "DT";
  return isOther || (kind === "heading" && linked < 0.5) ? null : lines.kind(text);
}

function ofCells(text: string, lines: Lines): LineKind | null {
  const cells = text.split("\t").map((cell) => lines.kind(cell) ?? (lines.isDated(cell) ? "date" : null));
  return cells.every((cell) => cell !== null) ? (cells[0] ?? null) : null;
}

function isInTable(container: Container): boolean {
  for (let at: Container | null = container; at; at = at.parent) if (at.tag === "TR" || at.role === "row") return true;
  return false;
}
