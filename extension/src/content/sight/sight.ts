// Which parts of which texts the reader of a page sees, or would see after scrolling.
import { Pace } from "../walk.js";
import { type Aside, beyondDepth, beyondGap } from "./aside.js";
import { blockOf, judgeGenerated } from "./generated.js";
import { highlighted } from "./highlights.js";
import { Judge } from "./judge.js";
import type { Look, Seen } from "./look.js";
import type { Side } from "./pseudo.js";
import { survey } from "./survey.js";
import { type Run, TextLook } from "./text-look.js";
import type { Unseen } from "./unseen.js";

export type { Run };

export type Said = Partial<Record<Side, string>>;

/** What was seen of a page at one time. */
export interface Sight {
  /** What of an element is seen. */
  of(element: Element): Seen;
  styleOf(element: Element): CSSStyleDeclaration;
  /** The parts of a text that are seen, in order. */
  runs(text: Text): readonly Run[];
  /** Words that the style puts before and after an element, where they are seen. */
  said(element: Element): Said | undefined;
  /** Texts of which nobody can tell whether they are seen, and their words. */
  readonly unsure: Unseen;
  /** Texts that keep their room and are not shown: how many, and their words. */
  readonly unseen: Unseen;
  /** A canvas takes much of the window. */
  readonly isDrawn: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;

/** Looks at the whole page. */
export async function look(): Promise<Sight> {
  const found = await survey();
  const runs = new Map<Text, readonly Run[]>();
  const pace = new Pace();
  const judges = new Map<Look, Judge>();
  const aside: Aside[] = [];
  const unsure = new Set<Text>(highlighted(found.texts));
  for (const { node, parent } of found.texts) {
    const judge = judges.get(parent) ?? new Judge(found, parent);
    judges.set(parent, judge);
    const text = new TextLook(node, parent, judge);
    const seen = await text.runs(pace);
    if (text.isUnsure && seen.length > 0) unsure.add(node);
    runs.set(node, seen);
    if (seen.length > 0) aside.push({ node, ...text.aside(found.document), ...text.below });
    if (pace.isDue) await pace.pause();
  }
  for (const node of beyondGap(aside)) runs.delete(node);
  for (const node of beyondDepth(aside, found.pictures)) unsure.add(node);
  const { said, dropped } = judgeGenerated(found);
  for (const { node, parent } of found.texts) if (dropped.has(blockOf(parent.element))) unsure.add(node);
  const left = { count: 0, words: 0 };
  for (const node of unsure) {
    const words = runs.get(node)?.length ? (node.data.match(WORD)?.length ?? 0) : 0;
    if (words > 0) left.count++;
    left.words += words;
    runs.set(node, []);
  }
  return {
    of: (element) => found.looks.get(element)?.seen ?? "nothing",
    styleOf: (element) => found.looks.get(element)?.style ?? getComputedStyle(element),
    said: (element) => said.get(element),
    unseen: found.unseen,
    unsure: left,
    isDrawn: found.isDrawn,
    // White space alone has no box, and parts words all the same.
    runs: (text) => runs.get(text) ?? (/\S/.test(text.data) ? [] : [{ start: 0, end: text.length }]),
  };
}
