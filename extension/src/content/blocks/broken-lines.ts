// Lists that are written as lines of one text, with a break after each: "4 onions<br>2 peppers<br>".
import { count } from "./containers.js";
import type { LiveBlock } from "./draft.js";
import { countWords, endsSentence, isProse } from "./text.js";

const LINES_MIN = 4;
const WORDS_MAX = 14;
/** Of the lines: so many begin with a number or a bullet, and no more end like sentences. */
const [MARKED_SHARE_MIN, SENTENCES_SHARE_MAX] = [0.5, 0.25];
const MARKED = /^[\p{N}•‣▪◦*–-]/u;

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The lines of a list as blocks of their own, with what stands above and below them; else the block. `breaks`: where lines end. */
export function splitList(block: LiveBlock, breaks: readonly number[]): LiveBlock[] {
  if (block.kind !== "paragraph" || breaks.length < LINES_MIN - 1) return [block];
  const lines = linesOf(block.text, breaks);
  const isShort = lines.map(({ text }) => countWords(text) <= WORDS_MAX);
  const from = isShort.findIndex((is, at) => is && MARKED.test(lines[at]?.text ?? ""));
  let to = Math.max(from, 0);
  while (isShort[to]) to++;
  const list = from < 0 ? [] : lines.slice(from, to);
  const marked = list.filter(({ text }) => MARKED.test(text)).length;
  const sentences = list.filter(({ text }) => endsSentence(text)).length;
  const isList =
    list.length >= LINES_MIN &&
    marked >= list.length * MARKED_SHARE_MIN &&
    sentences <= list.length * SENTENCES_SHARE_MAX;
  if (!isList) return [block];
  const above = lines.slice(0, from).at(-1);
  const below = lines[to];
  const parts = [
    ...(above ? [cut(block, 0, above.end, "paragraph")] : []),
    ...list.map(({ start, end }) => cut(block, start, end, "listItem")),
    ...(below ? [cut(block, below.start, block.text.length, "paragraph")] : []),
  ];
  count(block.container, { blocks: parts.length - 1, chars: 0, linked: 0, prose: 0, hasTitle: false });
  return parts;
}

function linesOf(text: string, breaks: readonly number[]): Line[] {
  const lines: Line[] = [];
  for (const [at, from] of [0, ...breaks].entries()) {
    const end = breaks[at] ?? text.length;
    const start = from + (/^\s*/.exec(text.slice(from, end))?.[0].length ?? 0);
    if (start < end) lines.push({ start, end, text: text.slice(start, end) });
  }
  return lines;
}

function cut(block: LiveBlock, start: number, end: number, kind: "paragraph" | "listItem"): LiveBlock {
  const text = block.text.slice(start, end);
  return {
    ...block,
    kind,
    text,
    nodes: block.nodes.slice(start, end),
    offsets: block.offsets.slice(start, end),
    words: countWords(text),
    isProse: block.linked < 0.5 && isProse(text),
  };
}
