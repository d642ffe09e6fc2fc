// Tables: rows whose cells stand below each other.
import type { Draft } from "./blocks.js";
import type { Line } from "./lines.js";
import type { Region } from "./order.js";

/** In sizes of the type: lines of one cell are no further apart. */
const CELL_LEADING_SIZES = 1.45;
/** Rows are so much further apart than the lines of a cell. */
const ROW_LEADINGS_MIN = 1.15;

/** The row after the last of a table that begins at `at`; `at` where none begins. */
export function endOfTable(rows: readonly Line[][], at: number): number {
  let [end, cells, full] = [at, 0, 0];
  for (let open: readonly Line[] = []; end < rows.length; end++) {
    const row = rows[end]!;
    const isRow = row.length >= 2 && row.some(({ isMono }) => !isMono);
    const before = rows[end - 1];
    // Cells of a column stand below each other.
    if (end > at && before && !open.some((one) => row.some((two) => overlap(one, two)))) break;
    if (!isRow && !(end > at && goesOnInCell(row, before, open))) break;
    cells += row.length;
    if (isRow) full++;
    if (row.length > open.length || end === at) open = row;
  }
  return full >= 2 && cells >= 4 ? end : at;
}

/** The second line of a cell stands right below the first, and within its column. */
function goesOnInCell(row: readonly Line[], before: readonly Line[] | undefined, columns: readonly Line[]): boolean {
  const [line] = row;
  const above = before?.[0];
  if (!line || !above || row.length !== 1 || line.isMono) return false;
  const isClose = line.y - above.y <= line.size * CELL_LEADING_SIZES;
  const own = columns.filter((one) => Math.abs(one.left - line.left) < line.size * 0.5);
  const next = columns.filter((one) => one.left > line.left + line.size * 0.5);
  return isClose && own.length === 1 && next.every((one) => line.right <= one.left);
}

/** The rows of a table, those that are further lines of the cells above joined to them. */
function joinedRows(rows: readonly Line[][]): Line[][] {
  const steps = rows.slice(1).map((row, at) => (row[0]?.y ?? 0) - (rows[at]?.[0]?.y ?? 0));
  const least = Math.min(...steps);
  // Where all rows are set alike, only a row without a first cell goes on.
  const isLoose = steps.some((step) => step > least * ROW_LEADINGS_MIN);
  const left = Math.min(...rows.flat().map((one) => one.left));
  const joined: Line[][] = [];
  for (const [at, row] of rows.entries()) {
    const [first] = row;
    const open = joined.at(-1);
    const step = steps[at - 1] ?? Infinity;
    const isTight = first !== undefined && step <= first.size * CELL_LEADING_SIZES;
    const isFurther = isLoose ? step < least * ROW_LEADINGS_MIN : (first?.left ?? 0) > left + (first?.size ?? 0);
    if (open && isTight && isFurther) open.push(...row);
    else joined.push([...row]);
  }
  return joined;
}

const overlap = (a: Line, b: Line): boolean => Math.min(a.right, b.right) > Math.max(a.left, b.left);

export function toTable(lines: readonly Line[][], page: number, region: Region): Draft[] {
  const columns = placesOf(lines);
  const rows = joinedRows(lines);
  const [head = [], ...rest] = rows;
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
    head.every(({ text }) => !/\d|[:：]$/.test(text)) && rest.some((row) => row.some(({ text }) => /\d/.test(text)));
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
