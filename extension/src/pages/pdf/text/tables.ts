// Tables: rows whose cells stand below each other.
import type { Draft } from "./blocks.js";
import type { Line } from "./lines.js";
import type { Region } from "./order.js";

/** The row after the last of a table that begins at `at`; `at` where none begins. */
export function endOfTable(rows: readonly Line[][], at: number): number {
  let end = at;
  let cells = 0;
  while (end < rows.length && rows[end]!.length >= 2 && rows[end]!.some(({ isMono }) => !isMono)) {
    const before = rows[end - 1];
    // Cells of a column stand below each other.
    if (end > at && before && !before.some((one) => rows[end]!.some((two) => overlap(one, two)))) break;
    cells += rows[end]!.length;
    end++;
  }
  return end - at >= 2 && cells >= 4 ? end : at;
}

const overlap = (a: Line, b: Line): boolean => Math.min(a.right, b.right) > Math.max(a.left, b.left);

export function toTable(rows: readonly Line[][], page: number, region: Region): Draft[] {
  const [head = [], ...rest] = rows;
  const columns = placesOf(rows);
  const cellsOf = (row: readonly Line[]): string[] => {
    const cells = columns.map(() => "");
    for (const cell of row) {
      const at = nearest(columns, cell);
      cells[at] = cells[at] ? `${cells[at]} ${cell.text}` : cell.text;
    }
    return row[0]?.isRtl ? cells.reverse() : cells;
  };
  // A first row of words above rows with numbers names the columns.
  const hasHead =
    head.every(({ text }) => !/\d/.test(text)) && rest.some((row) => row.some(({ text }) => /\d/.test(text)));
  const headers = hasHead ? cellsOf(head) : null;
  return (hasHead ? rest : rows).map((row) => ({
    kind: "table",
    text: cellsOf(row).join("\t"),
    ...(headers && { headers }),
    page,
    pages: [],
    last: row.at(-1)!,
    lineCount: 1,
    region,
  }));
}

/** The columns of a table: those of its row with most cells. */
function placesOf(rows: readonly Line[][]): { left: number; right: number }[] {
  const most = rows.reduce((a, b) => (b.length > a.length ? b : a));
  return [...most].sort((a, b) => a.left - b.left).map(({ left, right }) => ({ left, right }));
}

function nearest(columns: readonly { left: number; right: number }[], cell: Line): number {
  const distances = columns.map(({ left, right }) =>
    Math.min(
      Math.abs(left - cell.left),
      Math.abs(right - cell.right),
      Math.abs(left + right - cell.left - cell.right) / 2,
    ),
  );
  return distances.indexOf(Math.min(...distances));
}
