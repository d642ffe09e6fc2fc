// MathML as one line of text: "E = mc²", "d = l/4", "∑_(i=1)^n aᵢ".
import { inSigns, type Shift } from "../../text/raised.js";
import { attributeOf, childNodesOf, isElement, isText, localNameOf } from "../own.js";

/** A part of the line, and the text node that it comes from. */
export interface Piece {
  readonly text: string;
  readonly node: Text | null;
}

/** Bounds for hostile pages. */
const DEPTH_MAX = 64;
const PIECES_MAX = 2_000;

const TOKENS = new Set("mi mn mo ms mtext".split(" "));
const UNREAD = new Set("annotation annotation-xml mphantom mspace none mprescripts".split(" "));
/** Signs with a space on either side. */
const INFIX = /^[=<>≤≥≠≈≡∼≃≅∝→←↔⇒⇐⇔↦∈∉⊂⊃⊆⊇∪∩∧∨×÷±∓+−:≔]$|^:=$/u;
/** These may also be signs of one operand. */
const SIGN = /^[+−±∓]$/u;
const OPENS = /[([{⟨⌊⌈|,;]$/u;
const LARGE = /^(?:[∑∏∐∫∬∭∮⋃⋂⨁⨂⋁⋀]|lim|max|min|sup|inf|arg ?max|arg ?min|limsup|liminf)\s*$/u;
const ACCENTS: Record<string, string> = {
  "¯": "\u0304",
  "‾": "\u0304",
  "―": "\u0304",
  "^": "\u0302",
  ˆ: "\u0302",
  "~": "\u0303",
  "˜": "\u0303",
  "→": "\u20D7",
  "˙": "\u0307",
  "¨": "\u0308",
};
/** What is raised by nature. */
const AS_IT_IS = /^[′″‴*†]+$/u;

/** The line of a formula, as far as its texts are seen. Empty where none is. */
export function lineOf(math: Element, isSeen: (text: Text) => boolean): Piece[] {
  return new Liner(isSeen).line(math);
}

export const textOfPieces = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join("");

class Liner {
  readonly #isSeen: (text: Text) => boolean;
  #count = 0;

  constructor(isSeen: (text: Text) => boolean) {
    this.#isSeen = isSeen;
  }

  line(element: Element, depth = 0): Piece[] {
    const name = localNameOf(element).toLowerCase();
    if (depth > DEPTH_MAX || this.#count > PIECES_MAX || UNREAD.has(name)) return [];
    if (TOKENS.has(name)) return this.#token(element, name);
    const parts = childrenOf(element);
    const part = (at: number): Piece[] => (parts[at] ? this.line(parts[at], depth + 1) : []);
    switch (name) {
      case "semantics":
        return part(0);
      case "maction":
        return part(Math.max(0, Number(attributeOf(element, "selection") ?? 1) - 1));
      case "mfrac":
        return [...operand(part(0)), ...from("/", part(1)), ...operand(part(1), true)];
      case "msqrt":
        return root(this.#row(parts, depth), "√");
      case "mroot":
        return root(part(0), inSigns(textOfPieces(part(1)).trim(), "raised") + "√");
      case "msup":
        return [...part(0), ...script(part(1), "raised")];
      case "msub":
        return [...part(0), ...script(part(1), "lowered")];
      case "msubsup":
        return [...part(0), ...script(part(1), "lowered"), ...script(part(2), "raised")];
      case "munder":
      case "mover":
      case "munderover":
        return this.#stacked(name, part);
      case "mtable":
        return joined(
          parts.map((row) =>
            joined(
              childrenOf(row).map((cell) => this.#row(childrenOf(cell), depth + 2)),
              " ",
            ),
          ),
          "; ",
        );
      case "mmultiscripts":
        return this.#row(parts.slice(0, 1), depth);
      default:
        return this.#row(parts, depth);
    }
  }

  #token(element: Element, name: string): Piece[] {
    const pieces: Piece[] = [];
    for (const node of childNodesOf(element)) {
      if (!isText(node) || !this.#isSeen(node)) continue;
      const whole = node.data.replace(/[\u2061-\u2064\u200B]/g, "").replace(/\s+/g, " ");
      // Letters of mathematical alphabets are letters.
      const text = (name === "mtext" ? whole : whole.trim()).replace(/[\u{1D400}-\u{1D7FF}]|\u00A0/gu, (one) =>
        one.normalize("NFKC"),
      );
      if (text === "") continue;
      this.#count++;
      pieces.push({ text: name === "mo" && text === "-" ? "−" : text, node });
    }
    return pieces;
  }

  /** Parts beside each other, with the spaces that a reader sees between them. */
  #row(parts: readonly Element[], depth: number): Piece[] {
    const row: Piece[] = [];
    for (const element of parts) {
      const pieces = this.line(element, depth + 1);
      const [first] = pieces;
      if (!first) continue;
      const before = textOfPieces(row.slice(-3));
      const text = textOfPieces(pieces);
      const isOperator = localNameOf(element) === "mo";
      if (isOperator && INFIX.test(text)) {
        const isPrefix = before === "" || OPENS.test(before) || (SIGN.test(text) && before.endsWith(" "));
        const space = isPrefix ? "" : " ";
        row.push({ text: `${isPrefix || before.endsWith(" ") ? "" : " "}${text}${space}`, node: first.node });
        continue;
      }
      if (isOperator && /^[,;]$/.test(text)) {
        row.push({ text: `${text} `, node: first.node });
        continue;
      }
      if (needsSpace(before, text)) row.push({ text: " ", node: first.node });
      row.push(...pieces);
    }
    return row;
  }

  #stacked(name: string, part: (at: number) => Piece[]): Piece[] {
    const base = part(0);
    const text = textOfPieces(base);
    const [under, over] = name === "mover" ? [[], part(1)] : [part(1), part(2)];
    if (LARGE.test(text))
      return [...base, ...script(under, "lowered", false), ...script(over, "raised", false), ...from(" ", base)];
    const accent = ACCENTS[textOfPieces(over).trim()];
    if (name === "mover" && accent && [...text].length === 1) return [...base, ...from(accent, over)];
    return [...base, ...(/[\p{L}\p{N}]/u.test(textOfPieces(under)) ? script(under, "lowered", false) : [])];
  }
}

const childrenOf = (element: Element): Element[] => [...childNodesOf(element)].filter(isElement);

/** A sign of ours, at the place of the pieces that it belongs to. */
const from = (text: string, pieces: readonly Piece[]): Piece[] => (pieces[0] ? [{ text, node: pieces[0].node }] : []);

function joined(rows: readonly Piece[][], sign: string): Piece[] {
  return rows.filter((row) => row.length > 0).flatMap((row, at) => (at > 0 ? [...from(sign, row), ...row] : row));
}

/** Words are parted from what is beside them, and whole numbers from fractions. */
function needsSpace(before: string, text: string): boolean {
  if (/\p{L}{2}$/u.test(before)) return /^[\p{L}\p{N}√]/u.test(text);
  return /\d$/.test(before) && (/^\d/.test(text) || /^\p{L}{2}/u.test(text));
}

/** In brackets where it is more than one sign. */
function operand(pieces: Piece[], isBelow = false): Piece[] {
  const text = textOfPieces(pieces).trim();
  const isOne = /^(?:[\p{N}.,]+|\p{L}\p{M}*[₀-₉ᵢⱼₙ]*|\p{L}{2,})$/u.test(text) || /^\([^()]*\)$/.test(text);
  const isProduct = !isBelow && /^[\p{L}\p{N}\p{M}√²³₀-₉.]+$/u.test(text);
  return isOne || isProduct ? pieces : [...from("(", pieces), ...pieces, ...from(")", pieces.slice(-1))];
}

function root(pieces: Piece[], sign: string): Piece[] {
  return [...from(sign.replace("null", ""), pieces), ...operand(pieces, true)];
}

function script(pieces: Piece[], shift: Shift, inUnicode = true): Piece[] {
  const text = textOfPieces(pieces).trim();
  if (text === "") return [];
  if (shift === "raised" && AS_IT_IS.test(text)) return pieces;
  if (shift === "raised" && /^[∘°]$/u.test(text)) return from("°", pieces);
  const tight = text.replace(/\s/g, "");
  const signs =
    inUnicode && tight.length <= 4 && (tight.length === 1 || /\d/.test(tight)) ? inSigns(tight, shift) : null;
  if (signs) return from(signs, pieces);
  const sign = shift === "raised" ? "^" : "_";
  return /^(?:\p{L}|\p{N}+)$/u.test(tight) || (shift === "lowered" && /^\p{L}+$/u.test(tight))
    ? [...from(sign, pieces), ...pieces]
    : [...from(`${sign}(`, pieces), ...pieces, ...from(")", pieces.slice(-1))];
}
