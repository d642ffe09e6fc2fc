// Reads the page: first a picture of it for the panel, whose verdict is one vote; then its blocks, and which of them are text.
import type { Block } from "@pith/web";
import { type Captions, readCaptions, type Spoken } from "./captions/read.js";
import { joinCode } from "./blocks/join.js";
import type { LiveBlock } from "./blocks/draft.js";
import { withItemNumbers } from "./blocks/item-numbers.js";
import { wordsDrawn } from "./blocks/elsewhere.js";
import { readBlocks } from "./blocks/reading.js";
import type { Closed } from "./blocks/sections.js";
import { placeStamps } from "./blocks/stamps.js";
import { joinTranscripts } from "./blocks/transcript.js";
import { classify, type Verdict } from "./classify/classify.js";
import { itemOf, levelOf } from "./classify/outline.js";
import { commentsOf } from "./classify/comments.js";
import { voteOf } from "./classify/vote.js";
import { coverageOf } from "./classify/left-out.js";
import type { CaptionTimes } from "../caption-times.js";
import { timesOf } from "./caption-times.js";
import { addressOf, type Coverage } from "../wire.js";
import { type Metadata, readMetadata } from "./metadata.js";
import { isXmlFile } from "./furniture.js";
import { isInPage, page } from "./own.js";
import { blocksIn, chosenPart, isShownIn, labelOf } from "./pick/part.js";
import { holdsText, type NoText, noTextOf } from "./no-text.js";
import { look, type Sight } from "./sight/sight.js";
import { type Said, saidOf } from "./said.js";
import { speakerOfBlock, speakersOf } from "./speakers/speakers.js";
import { takeSnapshot } from "./snapshot.js";
import { openWhereMost, unfold } from "./unfold.js";
import { unreadOf } from "./unread.js";
import { VoteFinder } from "./votes.js";
import { giveUpReadings, Pace } from "./walk.js";
import { isWords, readTree, withoutTags } from "./xml-tree.js";

/** The first answer: what Readability needs to vote. */
export type Picture =
  | { problem: "page_pdf" | "no_text" | "text_drawn" | "page_part_gone" }
  | { key: string; html: string | null; metadata: Metadata };

/** The second one. */
export interface Collected {
  blocks: Block[];
  coverage: Coverage;
  /** What the text changes of the metadata. */
  said: Said;
  /** Why there are no blocks. */
  problem?: NoText;
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
/** What the last reading found closed, and whether there was text that is not shown yet. */
let closed: readonly Closed[] = [];
let hasUnseen = false;
/** Closed sections that were opened to be read, in this document. */
let opened = 0;

/** Which document this is, at which address: a new one wherever the reader would see another page. */
export function pageKey(): string {
  return `${documentId} ${addressOf(location.href)}`;
}

/** What the panel needs to let Readability vote. */
export async function picture(): Promise<Picture> {
  giveUpReadings();
  if (page.contentType() === "application/pdf") return { problem: "page_pdf" };
  if (page.isXmlTree()) return { key: pageKey(), html: null, metadata: (metadata = readMetadata()) };
  if (!page.body()) return { problem: wordsDrawn(page.root()) > 0 ? "text_drawn" : "no_text" };
  const part = chosenPart();
  if (part && !isInPage(part)) return { problem: "page_part_gone" };
  metadata = readMetadata();
  if (!part) opened += openWhereMost(page.body()!);
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
  if (page.isXmlTree()) {
    [blocks, captions] = [[], null];
    const tree = await readTree();
    return {
      ...tree,
      said: {},
      part: null,
      times: timesOf(0, []),
      ...(tree.blocks.length === 0 && { problem: "no_text" }),
    };
  }
  const media: Element[] = [];
  const seenNow = (sight ??= await look());
  const reading = await readBlocks(seenNow, media);
  const seen = await joinTranscripts(reading.blocks.filter(({ isStruck }) => !isStruck));
  const part = chosenPart();
  const within = part ? blocksIn(part, seen) : seen;
  // What is around a drawing or another site's frame is not what the page is for.
  const isElsewhere = seenNow.isDrawn || reading.elsewhere.frames > 0;
  const vote = kept && voteOf(new Set(kept), numbers);
  const apart: ReadonlySet<LiveBlock> = part ? new Set() : await commentsOf(within, vote);
  const article = within.filter((one) => !apart.has(one));
  verdict = await classify(article, metadata.language, vote, !isElsewhere);
  const isData = isXmlFile();
  if (part || isData)
    verdict = {
      ...verdict,
      judged: verdict.judged.map((one) => ({ ...one, isRead: !isData || isWords(one.block.text) })),
    };
  const said = apart.size > 0 ? await classify([...apart], metadata.language, null, false) : null;
  const speakers = new Map([...(await speakersOf(verdict)), ...(said ? await speakersOf(said) : [])]);
  const unread = part ? [] : unreadOf(reading, seenNow);
  [closed, hasUnseen] = [part ? [] : reading.closed, seenNow.unseen.count > 0];
  const comments = said?.judged.filter(({ block }) => block.kind !== "heading") ?? [];
  const coverage = await coverageOf({ ...verdict, judged: [...verdict.judged, ...comments] }, unread);
  await new Pace().pause();
  const isText = ({ isRead }: { isRead: boolean }): boolean => isRead;
  const blocksOf = (judged: Verdict["judged"]): LiveBlock[] => judged.filter(isText).map(({ block }) => block);
  blocks = [...withItemNumbers(placeStamps(joinCode(blocksOf(verdict.judged)))), ...blocksOf(comments)];
  sight = null;
  const root = page.body();
  const votes = root && new VoteFinder(root);
  const plain = blocks.map((block) => {
    const { headers } = block;
    const text = isData ? withoutTags(block.text) : block.text;
    const kind = apart.has(block) ? "comment" : block.kind;
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
      ...(kind !== "heading" && votes?.of(block.container)),
    };
  });
  const heard = part ? media.filter((one) => isShownIn(part, one)) : media;
  captions = await readCaptions(heard, { ...metadata, texts: plain.map(({ text }) => text) });
  const all = [...plain, ...captions.blocks];
  const hasText = part !== null || captions.blocks.length > 0 || !isElsewhere || holdsText(verdict, blocks, seenNow);
  const chars = hasText ? all.reduce((sum, { text }) => sum + text.length, 0) : 0;
  return {
    blocks: chars < TEXT_CHARS_MIN ? [] : all,
    said: saidOf(metadata, blocks, all),
    coverage: { ...withWords(coverage, captions.words), ...(opened > 0 && { opened }) },
    ...(chars < TEXT_CHARS_MIN && { problem: noTextOf(coverage, seenNow) }),
    part: part && labelOf(part),
    times: timesOf(blocks.length, captions.spoken),
  };
}

/** Opens the sections that the last reading found closed, and shows what is not shown yet: the next one reads them. */
export const unfoldAll = (): Promise<void> => unfold(closed, hasUnseen);

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
