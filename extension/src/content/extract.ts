// Reads the page: first a picture of it for the panel, whose verdict is one vote; then its blocks, and which of them are text.
import type { Block } from "@pith/web";
import { type Captions, readCaptions, type Spoken } from "./captions/read.js";
import { joinCode } from "./blocks/join.js";
import type { LiveBlock } from "./blocks/draft.js";
import { readBlocks } from "./blocks/reader.js";
import { joinTranscripts } from "./blocks/transcript.js";
import { classify, type Verdict } from "./classify/classify.js";
import { itemOf, levelOf } from "./classify/outline.js";
import { voteOf } from "./classify/vote.js";
import { coverageOf } from "./classify/left-out.js";
import type { CaptionTimes } from "../caption-times.js";
import { timesOf } from "./caption-times.js";
import { addressOf, type Coverage } from "../wire.js";
import { type Metadata, readMetadata } from "./metadata.js";
import { isInPage, page } from "./own.js";
import { blocksIn, chosenPart, isShownIn, labelOf } from "./pick/part.js";
import { look, type Sight } from "./sight/sight.js";
import { speakerOfBlock, speakersOf } from "./speakers/speakers.js";
import { takeSnapshot } from "./snapshot.js";
import { giveUpReadings, Pace } from "./walk.js";

/** The first answer: what Readability needs to vote. */
export type Picture =
  { problem: "page_pdf" | "no_text" | "page_part_gone" } | { key: string; html: string | null; metadata: Metadata };

/** The second one. */
export interface Collected {
  blocks: Block[];
  coverage: Coverage;
  /** The first words of the part that was read; null where it was the whole page. */
  part: string | null;
  /** When captions are heard; empty where there are none. */
  times: CaptionTimes;
}

/** Fewer characters than this are no text to summarize. */
const TEXT_CHARS_MIN = 40;

/** Not `randomUUID`, which pages without https do not have. */
const documentId = crypto.getRandomValues(new Uint32Array(3)).join("-");
let numbers: ReadonlyMap<Element, number> = new Map();
let sight: Sight | null = null;
let metadata: Metadata = { title: "", description: null, language: null, types: [] };
let blocks: LiveBlock[] = [];
let captions: Captions | null = null;
let verdict: Verdict | null = null;

/** Which document this is, at which address: a new one wherever the reader would see another page. */
export function pageKey(): string {
  return `${documentId} ${addressOf(location.href)}`;
}

/** What the panel needs to let Readability vote. */
export async function picture(): Promise<Picture> {
  giveUpReadings();
  if (page.contentType() === "application/pdf") return { problem: "page_pdf" };
  if (!page.body()) return { problem: "no_text" };
  const part = chosenPart();
  if (part && !isInPage(part)) return { problem: "page_part_gone" };
  metadata = readMetadata();
  sight = await look();
  // What the reader chose needs no vote.
  if (part) return { key: pageKey(), html: null, metadata };
  const snapshot = await takeSnapshot(sight);
  // What follows is handed over in one piece, which is a task of its own.
  await new Pace().pause();
  numbers = snapshot.numbers;
  return { key: pageKey(), html: snapshot.html, metadata };
}

/** The page's text. `kept`: the elements that Readability took, or null where it gave no verdict. */
export async function collect(kept: number[] | null): Promise<Collected> {
  const media: Element[] = [];
  const seen = sight ? await joinTranscripts(await readBlocks(sight, media)) : [];
  const part = chosenPart();
  const within = part ? blocksIn(part, seen) : seen;
  verdict = await classify(within, metadata.language, kept && voteOf(new Set(kept), numbers));
  if (part) verdict = { ...verdict, judged: verdict.judged.map((one) => ({ ...one, isRead: true })) };
  const speakers = await speakersOf(verdict);
  const coverage = await coverageOf(verdict);
  await new Pace().pause();
  blocks = joinCode(verdict.judged.flatMap(({ block, isRead }) => (isRead ? [block] : [])));
  sight = null;
  const plain = blocks.map((block) => {
    const { kind, text, headers } = block;
    const speaker = speakerOfBlock(speakers, block);
    const level = kind === "heading" ? levelOf(block) : 0;
    const item = kind === "listItem" || kind === "heading" ? itemOf(block) : null;
    return {
      kind,
      text,
      ...(headers && { headers }),
      ...(speaker !== null && { speaker }),
      ...(level >= 1 && level <= 6 && { level }),
      ...(item && { item }),
    };
  });
  const heard = part ? media.filter((one) => isShownIn(part, one)) : media;
  captions = await readCaptions(heard, { ...metadata, texts: plain.map(({ text }) => text) });
  const all = [...plain, ...captions.blocks];
  const chars = all.reduce((sum, { text }) => sum + text.length, 0);
  return {
    blocks: chars < TEXT_CHARS_MIN ? [] : all,
    coverage: withWords(coverage, captions.words),
    part: part && labelOf(part),
    times: timesOf(blocks.length, captions.spoken),
  };
}

/** Captions count as text that is seen. */
const withWords = (coverage: Coverage, words: number): Coverage => ({
  ...coverage,
  wordsVisible: coverage.wordsVisible + words,
  wordsRead: coverage.wordsRead + words,
});

/** For inspection: every block of the last reading with its features and its score. */
export function explain(): { text: string; isRead: boolean; score: number; features: object }[] {
  return (verdict?.judged ?? []).map(({ block, isRead, score, features }) => ({
    text: block.text,
    kind: block.kind,
    isRead,
    score,
    features,
  }));
}

/** The live blocks of the last reading. */
export const liveBlocks = (): readonly LiveBlock[] => blocks;

/** The captions that were read as this block of the last reading; null where it is one of the page. */
export const spokenAt = (block: number): Spoken | null => captions?.spoken[block - blocks.length] ?? null;
