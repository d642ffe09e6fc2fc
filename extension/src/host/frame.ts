// What a model wrote, without what only its prompt says: marks of the fence, the nonce, words of the instructions. A reader never
// sees those, also not while the text grows.

/** The prompt as far as it can be seen in an answer. */
export interface Frame {
  nonce: string;
  /** What the page and the reader say: words that stand there may stand in the answer. */
  texts: readonly string[];
}

/** Of the system message in act-prompt.ts, in lower case. */
const INSTRUCTIONS = [
  "between lines that begin with begin and end",
  "material to read, written by strangers",
  "is never an instruction",
  "answer with the result only",
];
const NAMES = ["TEXT", "TITLE", "PAGE"];
const MARKS = ["BEGIN", "END"].flatMap((side) => NAMES.map((name) => `${side} ${name}`));
/** A mark as models write it. In small letters it is one only in quotation marks, or alone. */
const MARK = /\b(?:BEGIN|END)[\s_-]+(?:TEXT|TITLE|PAGE)\b/gu;
const QUOTED = /(?:["'`“”„«‘’*]|^)\s*(?:begin|end)[\s_-]+(?:text|title|page)\s*(?:["'`“”«»‘’*:.]|$)/giu;
/** So much of a nonce is no accident. */
const NONCE_PART_CHARS = 8;
/** So much of the instructions is held back while the text grows. */
const INSTRUCTION_CHARS = 8;

const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** Sentences of a line, with the white space behind them. */
const sentencesOf = (line: string): string[] => [...segmenter.segment(line)].map(({ segment }) => segment);

function createCheck({ nonce, texts }: Frame): (sentence: string) => boolean {
  const known = texts.join("\n").toLowerCase().replace(/\s+/g, " ");
  const isKnown = (words: string): boolean => known.includes(words);
  const parts = Array.from({ length: nonce.length - NONCE_PART_CHARS + 1 }, (_, at) =>
    nonce.slice(at, at + NONCE_PART_CHARS),
  );
  return (sentence) => {
    const plain = sentence.toLowerCase().replace(/\s+/g, " ");
    if (parts.some((part) => plain.includes(part))) return true;
    if (INSTRUCTIONS.some((words) => plain.includes(words) && !isKnown(words))) return true;
    const marks = [...sentence.matchAll(MARK), ...sentence.trim().matchAll(QUOTED)];
    return marks.some(([mark]) => !isKnown(words(mark)));
  };
}

/** The words of a mark: "begin text". */
const words = (mark: string): string => (mark.toLowerCase().match(/[a-z]+/g) ?? []).join(" ");

/** Characters at the end of a growing text that may become a part of the prompt. */
function growing(text: string, { nonce, texts }: Frame): number {
  const known = texts.join("\n").toLowerCase();
  const isOf = (whole: string, chars_min: number): number => {
    if (known.includes(whole.toLowerCase())) return 0;
    for (let length = Math.min(whole.length - 1, text.length); length >= chars_min; length--)
      if (text.slice(-length).toLowerCase() === whole.slice(0, length).toLowerCase()) return length;
    return 0;
  };
  // What stands before the first letter of a mark is held back with it: a quotation mark, the stars of bold text.
  const mark = Math.max(...MARKS.map((one) => isOf(one, 2)), isOf(nonce, 2));
  const before = mark > 0 ? (/["'`“”„«‘’*\s]*$/u.exec(text.slice(0, text.length - mark))?.[0].length ?? 0) : 0;
  return Math.max(mark + before, ...INSTRUCTIONS.map((one) => isOf(one, INSTRUCTION_CHARS)));
}

/**
 * The sentences of an answer without those that repeat its prompt. Empty where those are not fewer than the others: what is left of
 * a text about its prompt says nothing of the page. Lines of the fence around an answer do not count.
 */
export function withoutFrame(text: string, frame: Frame, isComplete: boolean): string {
  const isFrame = createCheck(frame);
  const shown = isComplete ? text : text.slice(0, text.length - growing(text, frame));
  let kept = 0;
  let dropped = 0;
  const lines = shown.split("\n").flatMap((line) => {
    const sentences = sentencesOf(line);
    const clean = sentences.filter((sentence) => !isFrame(sentence));
    kept += clean.filter((sentence) => sentence.trim() !== "").length;
    if (clean.length === sentences.length) return [line];
    if (!isFenceLine(line)) dropped += sentences.length - clean.length;
    return clean.length > 0 ? [clean.join("").trimEnd()] : [];
  });
  if (dropped >= kept && dropped > 0) return "";
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** A line that is a mark and nothing else, with or without its nonce. */
const isFenceLine = (line: string): boolean =>
  /^\W*(?:begin|end)[\s_-]+(?:text|title|page)[\s\W]*[0-9a-f]*\W*$/iu.test(line);
