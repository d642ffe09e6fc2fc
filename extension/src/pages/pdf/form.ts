// What the annotations of a page show as text: the values of a form, and notes that are written on the page.
import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Item, PageItems } from "./text/pieces.js";

/** What is used of an annotation of pdf.js. */
interface Annotation {
  subtype?: string;
  rect?: number[];
  fieldType?: string;
  fieldValue?: unknown;
  hidden?: boolean;
  annotationFlags?: number;
  password?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string;
  options?: { exportValue?: string; displayValue?: string }[];
  defaultAppearanceData?: { fontSize?: number };
  textContent?: string[];
}

const FONT = "pith-form";
/** Bits of an annotation's flags: hidden, and not shown on a screen. */
const UNSHOWN = 2 | 32;
const SIZE_MAX = 12;
/** Of a field's height: its letters, where the file does not tell. */
const SIZE_SHARE = 0.7;
const CHARS_MAX = 4_000;
/** Bounds for hostile files. */
const ANNOTATIONS_MAX = 2_000;
const CHECKED = "☒";

/** The page's text with the values of its fields at their places. */
export async function withAnnotations(page: PDFPageProxy, items: PageItems): Promise<PageItems> {
  const annotations = (await page.getAnnotations().catch(() => [])) as Annotation[];
  const more = annotations.slice(0, ANNOTATIONS_MAX).flatMap(itemsOf);
  if (more.length === 0) return items;
  return {
    ...items,
    items: [...items.items, ...more],
    styles: { ...items.styles, [FONT]: { fontFamily: "sans-serif" } },
  };
}

function itemsOf(one: Annotation): Item[] {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = one.rect ?? [];
  const lines = linesOf(one);
  if (one.hidden || ((one.annotationFlags ?? 0) & UNSHOWN) !== 0 || lines.length === 0 || x2 <= x1 || y2 <= y1)
    return [];
  const room = (y2 - y1) / lines.length;
  const size = one.defaultAppearanceData?.fontSize || Math.min(SIZE_MAX, room * SIZE_SHARE);
  return lines.map((str, at) => {
    // The middle of a line of capitals is a third of the size above its baseline.
    const middle = y2 - room * (at + 0.5);
    const width = Math.min(x2 - x1, str.length * size * 0.5);
    return {
      str,
      dir: "ltr",
      width,
      height: size,
      transform: [size, 0, 0, size, x1 + 2, middle - size * 0.34],
      fontName: FONT,
    };
  });
}

/** The lines that an annotation shows. */
function linesOf(one: Annotation): string[] {
  if (one.subtype === "FreeText")
    return (one.textContent ?? []).map((text) => text.slice(0, CHARS_MAX)).filter((text) => text.trim());
  if (one.subtype !== "Widget" || one.password) return [];
  if (one.checkBox || one.radioButton) {
    const on = one.checkBox ? one.exportValue : one.buttonValue;
    return typeof one.fieldValue === "string" && one.fieldValue !== "Off" && one.fieldValue === on ? [CHECKED] : [];
  }
  if (one.fieldType !== "Tx" && one.fieldType !== "Ch") return [];
  const values = [one.fieldValue].flat().filter((value): value is string => typeof value === "string");
  const shown = values.map(
    (value) => one.options?.find(({ exportValue }) => exportValue === value)?.displayValue ?? value,
  );
  return shown
    .join(", ")
    .slice(0, CHARS_MAX)
    .split(/\r\n?|\n/)
    .filter((text) => text.trim());
}
