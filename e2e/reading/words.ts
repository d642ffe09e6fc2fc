// How `cargo xtask reading` splits a text into words.

/** Scripts that put no space between words: each of their characters counts as a word. */
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`;
/** One character of such a script with its combining marks, or a run of letters, marks and digits of other scripts. */
const WORD = new RegExp(String.raw`[[${UNSPACED}]&&[\p{L}\p{N}]]\p{M}*|[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]+`, "gv");
/** Soft hyphens and zero-width spaces stand within words and are not seen. */
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;

/** The words of a text in their order, after Unicode case folding and composition (NFC). */
export function words(text: string): string[] {
  // Upper case first: it maps letters such as ß and ς to one form.
  const folded = text.normalize("NFC").replace(UNSEEN, "").toUpperCase().toLowerCase();
  return folded.match(WORD) ?? [];
}
