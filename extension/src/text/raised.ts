// Raised and lowered text: powers, formulas and fractions keep their form in Unicode; marks of notes are left out.

/** What stands in place of a raised or lowered text: `at` is the unit of it that each unit comes from. */
export interface Written {
  readonly unit: string;
  readonly at: number;
}

export type Shift = "raised" | "lowered";

const DIGITS = "0123456789+-=()";
const RAISED = pairs(
  `${DIGITS}−–abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW`,
  "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾⁻⁻ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ",
);
const LOWERED = pairs(`${DIGITS}−–aehijklmnoprstuvx`, "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎₋₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ");

/** "[1]", "[note 1]", "[citation needed]", "(12)", ": 23–24", "*", "1,2". */
const MARK =
  /^(?:\[[^[\]]{1,40}\]|\(\d{1,3}\)|[:：]\s?[\d–—\-, ]{1,20}|[*†‡§¶‖#]{1,3}|\d{1,3}(?:[,;–-]\s?\d{1,3}){0,6}|[a-z])$/iu;
const MARKS = new RegExp(`^(?:${MARK.source.slice(1, -1)}[\\s,;]*)+$`, "iu");
/** Words that have powers: units of length and time. */
const UNIT = /(?<!\p{L})(?:[munpkcdhMGTµμ]?[msgJWNLlVΩ]|min|hr?|in|ft|yd|mi|km|Pa|Hz|mol|rad|м|км|см|мм|с)$/u;
/** What may be raised to a power: a letter, or a product of letters, which is no word. */
const VARIABLE = /(?:^|[^\p{L}])(?:\p{L}|[b-df-hj-np-tv-xzα-ω]{2,3})$/u;
const CHEMICAL = /[A-Z][a-z]?$|[)\]₀-₉]$/;
const CHARGE = /^\d{0,2}[+\-−–]$/;
const EXPONENT_LETTER = /^[ijkmnpqxyzNMKT]$/;
/** What is raised in writing and is no power: "1st", "XIXe", "Mme", "no". */
const ORDINAL =
  /^\.?(?:st|nd|rd|th|e|er|re|è?re|è?me|nde?|de|lle|gr|r|o|os|a|as|es|t|ta|to|ra|ro|mo|ma|do|da|s|d|i|ie|y|te|ste|º|ª)\.?$/iu;
const OPERATION = /^[\p{L}\d\s()+\-−–*·/=.,]*[+\-−–*·/=][\p{L}\d\s()+\-−–*·/=.,]*$/u;
const INDEX_CHARS_MAX = 12;
const CURRENCY = "[$€£¥₹₽₩]|(?:USD|EUR|GBP|CHF|kr|zł|Kč|R\\$)(?![\\p{L}])";
const PRICE = new RegExp(`(?:^|[^\\p{L}])(?:${CURRENCY})\\s?\\d{1,6}$`, "u");
const PRICED = new RegExp(`^\\s?(?:${CURRENCY})`, "u");
/** Words in brackets are no factor. */
const REMARK = /\([^()]*\p{L}{4}[^()]*\)$/u;
/** Nobody squares a year. */
const YEAR = /(?<!\d)(?:1[0-9]|20)\d\d$/;
const TRADE: Record<string, string> = { TM: "™", SM: "℠", R: "®", "®": "®", "™": "™" };
const DEGREE: Record<string, string> = { o: "º", a: "ª" };
const FRACTION = /([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})\s?[⁄/]\s?$/u;
const VULGAR: Record<string, string> = {
  "1/2": "½",
  "1/3": "⅓",
  "2/3": "⅔",
  "1/4": "¼",
  "3/4": "¾",
  "1/5": "⅕",
  "2/5": "⅖",
  "3/5": "⅗",
  "4/5": "⅘",
  "1/6": "⅙",
  "5/6": "⅚",
  "1/8": "⅛",
  "3/8": "⅜",
  "5/8": "⅝",
  "7/8": "⅞",
};

function pairs(from: string, to: string): ReadonlyMap<string, string> {
  const signs = [...to];
  return new Map([...from].map((one, at) => [one, signs[at] ?? one]));
}

/** Where the text leads, and what it stands in. */
export interface Context {
  readonly shift: Shift;
  /** It is, or holds, a link to a place in this page. */
  readonly leadsToNote: boolean;
  /** What parts whole numbers from decimals in the page's language. */
  readonly decimal: string;
  /** The text behind it, as far as it is known. */
  readonly after: string;
}

/**
 * Writes a raised or lowered text as one line. `before`: the text of the line up to it. Null: it stays as it is. `from`: what is
 * replaced begins so many units before it.
 */
export function written(before: string, text: string, context: Context): { from: number; units: Written[] } | null {
  const bare = text.trim();
  if (bare === "") return null;
  if (context.leadsToNote && MARKS.test(bare)) return { from: 0, units: [] };
  return context.shift === "raised" ? raised(before, text, bare, context) : lowered(before, text, bare);
}

function raised(before: string, text: string, bare: string, { decimal, after }: Context) {
  const base = before.trimEnd();
  if (/^\d{2}$/.test(bare) && (PRICE.test(base) || (/\d$/.test(base) && PRICED.test(after))))
    return { from: 0, units: [{ unit: decimal, at: 0 }, ...same(text)] };
  if (/^\[.*\]$|^[:：]/.test(bare) && MARK.test(bare)) return { from: 0, units: [] };
  if (/^[*†‡§¶‖]{1,3}$/.test(bare)) return { from: 0, units: [] };
  const trade = TRADE[bare.toUpperCase()];
  if (trade) return { from: 0, units: [{ unit: trade, at: text.indexOf(bare) }] };
  const degree = bare === "o" && /^\s?[CF](?!\p{L})/u.test(after) ? "°" : DEGREE[bare.toLowerCase()];
  if (degree && /[\dnN]$/.test(base)) return { from: 0, units: [{ unit: degree, at: text.indexOf(bare) }] };
  if (isExponent(before, text, bare, after)) return { from: 0, units: shifted(text, RAISED, "^") };
  if (/^\d/.test(bare) && MARK.test(bare)) return { from: 0, units: [] };
  return null;
}

function isExponent(before: string, text: string, bare: string, after: string): boolean {
  const base = before.trimEnd();
  const isFree = before === "" || /^\s/.test(text) || /[\s([]$/.test(before);
  const isNumber = /^[+\-−–]?\d{1,4}(?:[.,/]\d{1,3})?$/.test(bare);
  // A fraction begins with a raised number, and the sign of an isotope stands behind one.
  if (isNumber && /^\s?[⁄/]/.test(after)) return true;
  if (isNumber && isFree && /^\p{Lu}\p{Ll}?(?!\p{L})/u.test(after)) return true;
  if (base === "" || REMARK.test(base)) return false;
  if (CHEMICAL.test(base) && CHARGE.test(bare)) return true;
  const isDigit = /\d$/.test(base);
  if (isNumber) return isDigit ? !YEAR.test(base) : /[)\]}]$/.test(base) || VARIABLE.test(base) || UNIT.test(base);
  if (!isDigit && !/[)\]}]$/.test(base) && !VARIABLE.test(base)) return false;
  if (ORDINAL.test(bare)) return false;
  return EXPONENT_LETTER.test(bare) || OPERATION.test(bare) || (!isDigit && /^\p{L}{1,3}$/u.test(bare));
}

function lowered(before: string, text: string, bare: string) {
  const fraction = FRACTION.exec(before);
  if (fraction && /^\d{1,4}$/.test(bare)) {
    const [whole, above = ""] = fraction;
    const top = [...above].map((one) => one.normalize("NFKC")).join("");
    const sign = VULGAR[`${top}/${bare}`];
    const from = whole.length;
    return sign ? { from, units: [{ unit: sign, at: 0 }] } : { from: 0, units: shifted(text, LOWERED, "_") };
  }
  const isBased = /[\p{L}\p{N})\]]$/u.test(before) && !/^\s/.test(text);
  if (isBased && (/^[\d+\-−–=()]+$/.test(bare) || LOWERED.has(bare)))
    return { from: 0, units: shifted(text, LOWERED, "_") };
  if (isBased && VARIABLE.test(before) && bare.length <= INDEX_CHARS_MAX && OPERATION.test(bare))
    return { from: 0, units: shifted(text, LOWERED, "_") };
  return isBased && VARIABLE.test(before) && /^[\p{L}\p{N},]{1,8}$/u.test(bare)
    ? { from: 0, units: marked(text, "_") }
    : null;
}

const same = (text: string): Written[] => [...text].map((unit, at) => ({ unit, at }));

/** In signs of that height, or behind `sign` where one is missing. */
function shifted(text: string, signs: ReadonlyMap<string, string>, sign: string): Written[] {
  const bare = text.trim();
  if (![...bare].every((one) => signs.has(one))) return marked(text, sign);
  const start = text.indexOf(bare);
  return [...bare].map((one, at) => ({ unit: signs.get(one) ?? one, at: start + at }));
}

function marked(text: string, sign: string): Written[] {
  const bare = text.trim();
  const start = text.indexOf(bare);
  const units = [...bare].map((unit, at) => ({ unit, at: start + at }));
  const [open, end] = /^[\p{L}\p{N}]+$/u.test(bare) ? [sign, ""] : [`${sign}(`, ")"];
  return [
    ...[...open].map((unit) => ({ unit, at: start })),
    ...units,
    ...[...end].map((unit) => ({ unit, at: start + bare.length - 1 })),
  ];
}

/** A number or name in signs of that height; null where one is missing. */
export function inSigns(text: string, shift: Shift): string | null {
  const signs = shift === "raised" ? RAISED : LOWERED;
  const units = [...text].map((one) => signs.get(one));
  return units.every((one) => one !== undefined) && text !== "" ? units.join("") : null;
}

/** Of the size of the letters around: what is smaller and moved is raised or lowered. */
const SMALL_MAX = 0.92;
const MOVED_MIN = 0.15;

/** Whether an element is raised or lowered against the one around it. */
export function shiftOf(tag: string, style: CSSStyleDeclaration, outer: CSSStyleDeclaration | null): Shift | null {
  if (tag === "SUP") return "raised";
  if (tag === "SUB") return "lowered";
  const { verticalAlign, position, fontVariantPosition } = style;
  if (fontVariantPosition === "super" || verticalAlign === "super") return "raised";
  if (fontVariantPosition === "sub" || verticalAlign === "sub") return "lowered";
  if (!outer || !style.display.startsWith("inline")) return null;
  const [size_px, outer_px] = [style, outer].map(({ fontSize }) => Number.parseFloat(fontSize)) as [number, number];
  if (size_px > outer_px * SMALL_MAX) return null;
  if (verticalAlign === "top" || verticalAlign === "text-top") return "raised";
  const moved_px =
    (Number.parseFloat(verticalAlign) || 0) - (position === "relative" ? Number.parseFloat(style.top) || 0 : 0);
  if (Math.abs(moved_px) < outer_px * MOVED_MIN) return null;
  return moved_px > 0 ? "raised" : "lowered";
}
