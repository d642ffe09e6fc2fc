// Tells a page's text from what is around it: a sum of weighted features for each block, in two rounds.
import { type Container, isInOne, lineBoxOf } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import { page } from "../own.js";
import { Pace } from "../walk.js";
import { readFacts } from "./facts.js";
import { PageFacts } from "./features.js";
import type { Judged } from "./judged.js";
import { leaveOutArticles, leaveOutUnderHeadings } from "./other-parts.js";
import { levelOf } from "./outline.js";
import type { Vote } from "./vote.js";
import { type Feature, type Features, WEIGHTS } from "./weights.js";

/** Blocks on either side that a block is compared with. */
const [AROUND, AROUND_MAX] = [2, 8];
const SCORE_MAX = 3;
/** A heading says little by itself: what is under it decides, unless much speaks against it; where a page lists others they are links. */
const HEADING_SCORE_MIN = -1.5;
const INDEX_SCORE_MIN = -4;
/** With less text than this read, the page is taken for a list of links, and read as one. */
const CHARS_MIN = 80;
/** Of the page's words, the links of a list must be so many to be what the page is; and of an item's, those in links. */
const [LIST_SHARE_MIN, LINKED_MIN] = [0.5, 0.6];
const OUTSIDE = [
  "control",
  "navigation",
  "sidebar",
  "footer",
  "header",
  "notice",
  "advertisement",
  "share",
  "related",
  "outsideMain",
] as const;

export interface Verdict {
  readonly facts: PageFacts;
  readonly judged: readonly Judged[];
}

/** A block after the first round. */
interface First {
  readonly features: Features;
  readonly score: number;
  readonly group: Container;
  /** It says something about its neighbors; titles, controls and bylines do not. */
  readonly isWitness: boolean;
}

/** Judges all blocks of a page. `rescues`: where nothing else is text, links and labels are. */
export async function classify(
  blocks: readonly LiveBlock[],
  language: string | null,
  vote: Vote,
  rescues = true,
): Promise<Verdict> {
  const pace = new Pace();
  const facts = await PageFacts.of(blocks, language, vote);
  const first: First[] = [];
  const groups = new Map<Container, { sum: number; chars: number }>();
  for (const [at, block] of blocks.entries()) {
    const features = facts.of(block, at);
    const score = Math.min(SCORE_MAX, Math.max(-SCORE_MAX, scoreOf(features)));
    const group = facts.groupOf(block);
    const isWitness = !isTitle(block) && !features.control && !features.line && !features.dated;
    const sums = groups.get(group) ?? { sum: 0, chars: 0 };
    if (isWitness) {
      sums.sum += score * block.text.length;
      sums.chars += block.text.length;
    }
    groups.set(group, sums);
    first.push({ features, score, group, isWitness });
    if (pace.isDue) await pace.pause();
  }
  const judged: Judged[] = [];
  for (const [at, block] of blocks.entries()) {
    const own = first[at];
    if (!own) continue;
    const sums = groups.get(own.group);
    const around = [...witnesses(first, at, -1), ...witnesses(first, at, 1)];
    const features = {
      ...own.features,
      group: sums && sums.chars > 0 ? sums.sum / sums.chars : 0,
      around: around.reduce((sum, { score }) => sum + score, 0) / Math.max(1, around.length),
    };
    const score = scoreOf(features);
    judged.push({ block, score, features, isRead: score > 0 });
    if (pace.isDue) await pace.pause();
  }
  if (pace.isDue) await pace.pause();
  const boxes = await readFacts(judged, facts);
  const title = readTitle(judged, facts.outline.title);
  // A menu stands above the title, and the list that a page is stands below it.
  const belowTitle = title ? judged.slice(facts.outline.title) : judged;
  rescueList(belowTitle);
  leaveOutUnderHeadings(judged);
  leaveOutArticles(judged, page.title());
  const least = facts.isIndex ? INDEX_SCORE_MIN : HEADING_SCORE_MIN;
  judgeHeadings(judged, title ? new Set([...boxes, title]) : boxes, least);
  if (rescues) rescue(belowTitle);
  return { facts, judged };
}

/** The scores of the next witnesses on one side. */
function witnesses(first: readonly First[], from: number, step: 1 | -1): First[] {
  const found: First[] = [];
  for (let at = from + step; found.length < AROUND && Math.abs(at - from) <= AROUND_MAX; at += step) {
    const one = first[at];
    if (!one) break;
    if (one.isWitness) found.push(one);
  }
  return found;
}

function scoreOf(features: Features): number {
  return (Object.entries(features) as [Feature, number][]).reduce(
    (sum, [name, value]) => sum + WEIGHTS[name] * value,
    0,
  );
}

/** A line that is the page's title is its heading. Gives its element: as a heading it may be of any level. */
function readTitle(judged: Judged[], at: number): Container | null {
  const one = judged[at];
  if (!one) return null;
  const isRead = judged.slice(at + 1).some((below) => below.isRead);
  // Its words may look like a line of dates or counts.
  const features = { ...one.features, line: 0 };
  if (one.block.kind !== "heading") judged[at] = { ...one, isRead, features, block: { ...one.block, kind: "heading" } };
  return one.block.container;
}

/** Headings, and terms of a list of definitions. */
const isTitle = ({ kind, container }: LiveBlock): boolean => kind === "heading" || lineBoxOf(container).tag === "DT";

/** A heading or term is read where something under it is, unless it belongs to a part of the site. `boxes`: hold facts; `least`: its score. */
function judgeHeadings(judged: readonly Judged[], boxes: ReadonlySet<Container>, least: number): void {
  /** By level: whether text is read between here and the next heading of that level or above. */
  const isRead = Array.from({ length: 8 }, () => false);
  /** The heading that comes next, where nothing stands between. */
  let next: Judged | null = null;
  /** The block that comes next. */
  let below: Judged | null = null;
  for (const one of judged.toReversed()) {
    const after = below;
    below = one;
    if (!isTitle(one.block)) {
      if (one.isRead) isRead.fill(true);
      if (!one.block.isControl) next = null;
      continue;
    }
    const level = one.block.container.kind === "heading" ? levelOf(one.block) : 1;
    const { control = 0, navigation = 0, footer = 0, line = 0 } = one.features;
    const isBarred = control + navigation + footer + line > 0;
    const isTerm = one.block.kind !== "heading";
    const leads = isTerm
      ? (after?.isRead ?? false) && listOf(one) === listOf(after)
      : (isRead[level] ?? false) || (next?.isRead ?? false);
    one.isRead =
      !isBarred &&
      (leads
        ? level === 1 || isTerm || one.score > least || isInOne(one.block.container, boxes)
        : isTerm && one.score > 0);
    if (isTerm) {
      if (one.isRead) isRead.fill(true);
      continue;
    }
    isRead.fill(false, level);
    if (one.isRead) isRead.fill(true, 0, level);
    next = one;
  }
}

/** The list of definitions that a block stands in. */
function listOf(one: Judged | null): Container | null {
  for (let at = one?.block.container ?? null; at; at = at.parent) if (at.tag === "DL") return at;
  return null;
}

/** A table of contents or an index is a list of links, and read as one: the text beside it introduces it. */
function rescueList(judged: readonly Judged[]): void {
  const isBarred = ({ features }: Judged): boolean => OUTSIDE.some((part) => (features[part] ?? 0) > 0);
  const links = judged.filter(
    (one) => one.block.kind === "listItem" && one.block.linked > LINKED_MIN && !isBarred(one),
  );
  const sum = (some: readonly Judged[]): number => some.reduce((all, { block }) => all + block.words, 0);
  if (sum(links) > sum(judged) * LIST_SHARE_MIN) for (const one of links) one.isRead = true;
}

/** A page that has nothing but links and labels is read all the same. */
function rescue(judged: readonly Judged[]): void {
  const read = judged.reduce((sum, { block, isRead }) => (isRead ? sum + block.text.length : sum), 0);
  if (read >= CHARS_MIN) return;
  for (const one of judged) {
    const { control = 0, navigation = 0, footer = 0, notice = 0 } = one.features;
    if (control + navigation + footer + notice === 0) one.isRead = true;
  }
}
