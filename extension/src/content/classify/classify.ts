// Tells a page's text from what is around it: a sum of weighted features for each block, in two rounds.
import { type Container, lineBoxOf } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import { Pace } from "../walk.js";
import { PageFacts } from "./features.js";
import { levelOf } from "./outline.js";
import type { Vote } from "./vote.js";
import { type Feature, type Features, WEIGHTS } from "./weights.js";

/** Blocks on either side that a block is compared with. */
const AROUND = 2;
const AROUND_MAX = 8;
const SCORE_MAX = 3;
/** A heading says little by itself: what is under it decides, unless much speaks against it. */
const HEADING_SCORE_MIN = -1.5;
/** With less text than this read, the page is taken for a list of links, and read as one. */
const CHARS_MIN = 80;

/** What became of a block, and why. */
export interface Judged {
  readonly block: LiveBlock;
  readonly score: number;
  readonly features: Features;
  isRead: boolean;
}

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

/** Judges all blocks of a page. */
export async function classify(blocks: readonly LiveBlock[], language: string | null, vote: Vote): Promise<Verdict> {
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
  judgeHeadings(judged);
  rescue(judged);
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

/** Headings, and terms of a list of definitions. */
const isTitle = ({ kind, container }: LiveBlock): boolean => kind === "heading" || lineBoxOf(container).tag === "DT";

/** A heading or term is read where something under it is, unless it belongs to a part of the site. */
function judgeHeadings(judged: readonly Judged[]): void {
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
    const level = levelOf(one.block);
    const { control = 0, navigation = 0, footer = 0, line = 0 } = one.features;
    const isBarred = control + navigation + footer + line > 0;
    const isTerm = one.block.kind !== "heading";
    const leads = isTerm
      ? (after?.isRead ?? false) && listOf(one) === listOf(after)
      : (isRead[level] ?? false) || (next?.isRead ?? false);
    one.isRead =
      !isBarred && (leads ? level === 1 || isTerm || one.score > HEADING_SCORE_MIN : isTerm && one.score > 0);
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

/** A page that has nothing but links and labels is read all the same. */
function rescue(judged: readonly Judged[]): void {
  const read = judged.reduce((sum, { block, isRead }) => (isRead ? sum + block.text.length : sum), 0);
  if (read >= CHARS_MIN) return;
  for (const one of judged) {
    const { control = 0, navigation = 0, footer = 0, notice = 0 } = one.features;
    if (control + navigation + footer + notice === 0) one.isRead = true;
  }
}
