// The marks of numbered lists, as browsers draw them.

/** Beyond this browsers draw Roman numbers as decimals. */
const NUMBER_MAX = 3_999;
const ROMAN: [number, string][] = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];

/** A number as it is drawn; null where it is not drawn, or in a way that is not known. */
export function markOf(value: number, style: string): string | null {
  if (style === "decimal") return String(value);
  if (value < 1 || value > NUMBER_MAX) return null;
  if (/^lower-(?:alpha|latin)$/.test(style)) return letters(value);
  if (/^upper-(?:alpha|latin)$/.test(style)) return letters(value).toUpperCase();
  if (style === "lower-roman") return roman(value);
  return style === "upper-roman" ? roman(value).toUpperCase() : null;
}

function letters(value: number): string {
  let found = "";
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26))
    found = String.fromCharCode(97 + ((rest - 1) % 26)) + found;
  return found;
}

function roman(value: number): string {
  let [rest, found] = [value, ""];
  for (const [size, sign] of ROMAN)
    while (rest >= size) {
      found += sign;
      rest -= size;
    }
  return found;
}
