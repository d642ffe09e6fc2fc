// Which of a page's text items are seen. pdf.js gives items without saying how they are drawn, so their letters are found again.
import type { Item } from "../text/pieces.js";
import type { Letter, Sight } from "./seen.js";
import type { Point } from "./shapes.js";

/** Letters that may be skipped between two of an item: pdf.js leaves out what lies beside the page. */
const SKIP_MAX = 200;
/** Of a letter's size, and points: how far an item's place may be from its first letter's. */
const NEAR_SHARE = 0.1;
const NEAR = 0.2;

/** A part of an item, and how it is seen. */
export interface PartOfItem {
  readonly item: Item;
  readonly sight: Sight;
}

/** Parts the items by how their letters are seen. An item that no letter was found for was not drawn. `pause`: awaited for each. */
export async function partsOf(
  items: readonly Item[],
  letters: readonly Letter[],
  look: (letter: Letter) => Sight,
  pause: () => Promise<void>,
): Promise<PartOfItem[]> {
  const finder = new Finder(letters);
  const parts: PartOfItem[] = [];
  for (const item of items) {
    await pause();
    for (const part of partsOfItem(item, finder, look)) parts.push(part);
  }
  return parts;
}

function partsOfItem(item: Item, finder: Finder, look: (letter: Letter) => Sight): PartOfItem[] {
  const wanted = item.str.replace(/\s+/gu, "");
  if (wanted === "") return [{ item, sight: "seen" }];
  const found = finder.find(item, wanted);
  const sights = found.map((letter) => (letter ? look(letter) : "hidden"));
  const first = sights[0] ?? "hidden";
  if (sights.every((one) => one === first)) return [{ item, sight: first }];
  if (item.dir !== "ltr" || sights.length !== wanted.length) return [{ item, sight: mostOf(sights) }];
  return cut(item, found, sights);
}

function mostOf(sights: readonly Sight[]): Sight {
  const counts = new Map<Sight, number>();
  for (const one of sights) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "hidden";
}

/** Cuts an item where its letters are seen differently. `found` and `sights`: one for every character but spaces. */
function cut(item: Item, found: readonly (Letter | null)[], sights: readonly Sight[]): PartOfItem[] {
  const runs: { str: string; sight: Sight; from: Letter | null; to: Letter | null }[] = [];
  let at = 0;
  for (const unit of item.str.split("")) {
    const open = runs.at(-1);
    if (/\s/u.test(unit)) {
      if (open) open.str += unit;
      continue;
    }
    const [letter, sight] = [found[at] ?? null, sights[at] ?? "hidden"];
    at++;
    if (open?.sight === sight) Object.assign(open, { str: open.str + unit, to: letter ?? open.to });
    else runs.push({ str: unit, sight, from: letter, to: letter });
  }
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = item.transform;
  return runs.map(({ str, sight, from, to }, at) => {
    const start: Point = from ? [from.x, from.y] : [x, y];
    const end = to?.end ?? start;
    const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
    const size = item.width >= item.height || item.width > 0 ? { width: length } : { height: length };
    return {
      sight,
      item: {
        ...item,
        ...size,
        str,
        hasEOL: item.hasEOL && at === runs.length - 1,
        transform: [a, b, c, d, start[0], start[1]],
      },
    };
  });
}

/** Finds the letters of items, which come in the order in which they are drawn. */
class Finder {
  readonly #letters: readonly Letter[];
  readonly #places = new Map<string, number[]>();
  #next = 0;

  constructor(letters: readonly Letter[]) {
    this.#letters = letters;
    letters.forEach(({ x, y }, at) => {
      const key = keyOf(x, y);
      const place = this.#places.get(key);
      if (place) place.push(at);
      else this.#places.set(key, [at]);
    });
  }

  /** The letter of every unit of `wanted`; null where none was found. */
  find(item: Item, wanted: string): (Letter | null)[] {
    const start = this.#startOf(item) ?? this.#textAfter(wanted);
    if (start === null) return [null];
    const found: (Letter | null)[] = [];
    let [at, skipped] = [start, 0];
    while (found.length < wanted.length && at < this.#letters.length && skipped <= SKIP_MAX) {
      const letter = this.#letters[at++]!;
      const { text } = letter;
      if (item.dir === "ltr" && !wanted.startsWith(text, found.length)) {
        skipped++;
        continue;
      }
      for (let unit = 0; unit < text.length; unit++) found.push(letter);
      skipped = 0;
      this.#next = at;
    }
    return found.length > 0 ? found : [null];
  }

  /** pdf.js counts soft hyphens where they are drawn, and not in its items: what follows is drawn beside its place. */
  #textAfter(wanted: string): number | null {
    const ahead = this.#letters.slice(this.#next, this.#next + SKIP_MAX + wanted.length);
    let text = "";
    const starts = ahead.map((letter) => {
      const start = text.length;
      text += letter.text;
      return start;
    });
    const at = starts.indexOf(text.indexOf(wanted));
    return at < 0 ? null : this.#next + at;
  }

  /** The next letter that is drawn where the item begins. */
  #startOf({ transform }: Item): number | null {
    const [x = 0, y = 0] = [transform[4], transform[5]];
    let [ahead, behind]: [number | null, number | null] = [null, null];
    for (const dx of [-1, 0, 1])
      for (const dy of [-1, 0, 1])
        for (const at of this.#places.get(keyOf(x + dx, y + dy)) ?? []) {
          const letter = this.#letters[at]!;
          const near = NEAR + NEAR_SHARE * Math.min(letter.size, 10);
          if (Math.hypot(letter.x - x, letter.y - y) > near) continue;
          if (at < this.#next) behind = Math.max(behind ?? 0, at);
          else ahead = Math.min(ahead ?? Infinity, at);
        }
    return ahead ?? behind;
  }
}

const keyOf = (x: number, y: number): string => `${Math.round(x)} ${Math.round(y)}`;
