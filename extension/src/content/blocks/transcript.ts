// Joins the lines of a transcript, each with a time, to sentences. The times are left out.
import type { LiveBlock } from "./draft.js";
import { attributeOf } from "../own.js";
import { Pace } from "../walk.js";
import { common, type Container } from "./containers.js";
import { countWords, endsSentence, isProse } from "./text.js";

/** "0:15", "[00:15]", "1:02:15", "00:15.250". */
const STAMP = /^[[(]?(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)(?:[.,]\d{1,3})?[\])]?(?=$|[\s\t·–—-])[\s·–—-]*/;
/** The same in words, as screen readers hear it: "1 minute, 5 seconds". */
const SPOKEN = /^(?:\d+ hours?,? )?(?:\d+ minutes?,? )?\d+ seconds?$/i;
/** Lines with a time that follow each other: where the page calls them a transcript, and where it does not. */
const [NAMED_LINES_MIN, LINES_MIN] = [3, 6];
/** Seconds: of the first line, and half of all pauses between lines, where the page does not call them a transcript. */
const [FIRST_MAX_S, PAUSE_MAX_S] = [90, 45];
/** Where the page does not call them so, such a share must go on in the next line, and lines have so many words. */
const GOES_ON_SHARE_MIN = 0.4;
const LINE_WORDS_MIN = 3;
/** A line with more words is a paragraph of its own. */
const LINE_WORDS_MAX = 40;
const [PARAGRAPH_CHARS, PARAGRAPH_CHARS_MAX] = [500, 1_000];
/** Blocks of text between two times. */
const TEXTS_MAX = 6;
const NAMED =
  /transcript|transkript|trascrizione|transcripci|transcri[cç]|caption-?lines|subtitle-?lines|cues?(?:-?list|s)/i;
const NAMES_CHARS_MAX = 300;
const LEVELS_MAX = 12;

/** A line: its time, the block of the time where that is one of its own, and its text. */
interface Line {
  readonly second: number;
  readonly at: number;
  readonly stamp: Container;
  readonly texts: LiveBlock[];
}

/** Reads the lines of transcripts as paragraphs; all other blocks stay. */
export async function joinTranscripts(blocks: readonly LiveBlock[]): Promise<LiveBlock[]> {
  const pace = new Pace();
  const joined: LiveBlock[] = [];
  for (let at = 0; at < blocks.length;) {
    const { lines, end } = await run(blocks, at, pace);
    if (isTranscript(lines)) joined.push(...paragraphs(lines));
    else joined.push(...blocks.slice(at, end));
    at = end;
    if (pace.isDue) await pace.pause();
  }
  return joined;
}

/** The lines with a time from here on; where there are none, `end` is behind the next block. */
async function run(blocks: readonly LiveBlock[], from: number, pace: Pace): Promise<{ lines: Line[]; end: number }> {
  const lines: Line[] = [];
  let at = from;
  for (let block = blocks[at]; block; block = blocks[++at]) {
    if (pace.isDue) await pace.pause();
    const second = stampOf(block);
    const last = lines.at(-1);
    if (second !== null) {
      if (last && (second < last.second || block.container.tag !== last.stamp.tag)) break;
      const rest = cut(block);
      lines.push({ second, at, stamp: block.container, texts: rest ? [rest] : [] });
    } else if (SPOKEN.test(block.text) && last) continue;
    else if (last && last.texts.length < TEXTS_MAX && block.kind !== "heading" && isBeside(block, last))
      last.texts.push(block);
    else break;
  }
  return { lines, end: Math.max(at, from + 1) };
}

function stampOf({ text }: LiveBlock): number | null {
  const [, hours = "0", minutes, seconds] = STAMP.exec(text) ?? [];
  return minutes === undefined ? null : (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** The block without its time; null where nothing is left. */
function cut(block: LiveBlock): LiveBlock | null {
  const from = STAMP.exec(block.text)?.[0].length ?? 0;
  const text = block.text.slice(from);
  if (!/[\p{L}\p{N}]/u.test(text)) return null;
  return { ...block, text, nodes: block.nodes.slice(from), offsets: block.offsets.slice(from) };
}

/** In the same small part of the page as the time before it. */
function isBeside({ container }: LiveBlock, { stamp }: Line): boolean {
  const around = common(container, stamp);
  return stamp.depth - around.depth <= 3 && container.depth - around.depth <= 4;
}

function isTranscript(lines: readonly Line[]): boolean {
  const [first] = lines;
  const texts = lines.flatMap(({ texts }) => texts.slice(0, 1).map(({ text }) => text));
  if (!first || texts.length < lines.length * 0.8) return false;
  const isNamed = isCalledSo(first.stamp);
  if (isNamed) return lines.length >= NAMED_LINES_MIN;
  if (lines.length < LINES_MIN || first.second > FIRST_MAX_S) return false;
  const pauses = lines.slice(1).map(({ second }, at) => second - (lines[at]?.second ?? 0));
  const usual = pauses.sort((a, b) => a - b)[pauses.length >> 1] ?? 0;
  const words = texts.reduce((sum, text) => sum + countWords(text), 0);
  // The lines of chapters and timetables are complete, those of a transcript go on.
  const goesOn = texts.slice(1).filter((text, at) => !endsSentence(texts[at] ?? "") && /^[^\p{Lu}]/u.test(text));
  return (
    usual <= PAUSE_MAX_S &&
    words >= texts.length * LINE_WORDS_MIN &&
    goesOn.length >= (texts.length - 1) * GOES_ON_SHARE_MIN
  );
}

function isCalledSo(container: Container): boolean {
  let at: Container | null = container;
  for (let level = 0; at && level < LEVELS_MAX; level++, at = at.parent) {
    const { element } = at;
    const names = ["class", "id", "aria-label", "data-testid"].map((name) => attributeOf(element, name) ?? "");
    if (NAMED.test(`${at.tag} ${names.join(" ")}`.slice(0, NAMES_CHARS_MAX))) return true;
  }
  return false;
}

function paragraphs(lines: readonly Line[]): LiveBlock[] {
  const found: LiveBlock[] = [];
  let open: LiveBlock | null = null;
  for (const text of lines.flatMap(({ texts }) => texts)) {
    const isFull: boolean = open !== null && isComplete(open, text.words);
    if (open && isFull) found.push(settled(open));
    // A line that leads to its second in the video is a link or a button, and text all the same.
    open = open && !isFull ? joinTwo(open, text) : { ...text, kind: "paragraph", isControl: false, linked: 0 };
  }
  if (open) found.push(settled(open));
  return found;
}

function isComplete({ text }: LiveBlock, wordsNext: number): boolean {
  if (!endsSentence(text)) return text.length > PARAGRAPH_CHARS_MAX;
  return text.length > PARAGRAPH_CHARS || wordsNext > LINE_WORDS_MAX;
}

/** What is known of a text holds of the whole. */
function settled(block: LiveBlock): LiveBlock {
  return { ...block, words: countWords(block.text), isProse: isProse(block.text) };
}

function joinTwo(one: LiveBlock, next: LiveBlock): LiveBlock {
  const [node, offset] = [next.nodes[0], next.offsets[0]];
  if (!node || offset === undefined) return one;
  return {
    ...one,
    text: `${one.text} ${next.text}`,
    nodes: [...one.nodes, node, ...next.nodes],
    offsets: [...one.offsets, offset, ...next.offsets],
    container: common(one.container, next.container),
  };
}
