import type { Passage } from "@pith/web";

/** What is shown of a passage: of a row of a table, each cell with its header. */
export function passageWords({ text, headers }: Pick<Passage, "text" | "headers">): string {
  const cells = text.split("\t").map((cell, at) => ({ cell: cell.trim(), header: headers[at] ?? "" }));
  const filled = cells.filter(({ cell }) => cell !== "");
  return filled.map(({ cell, header }) => (header ? `${header}: ${cell}` : cell)).join(" · ");
}
