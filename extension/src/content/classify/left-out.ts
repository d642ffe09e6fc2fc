// How much of the page was read, and what was left out.
import type { Coverage, LeftOut, LeftOutKind } from "../../wire.js";
import { Pace } from "../walk.js";
import type { Verdict } from "./classify.js";
import type { PageFacts } from "./features.js";
import type { Judged } from "./judged.js";

/** Bounds of the texts: they travel with every step of a summary. */
const TEXT_CHARS_MAX = 160;
const TEXTS_MAX = 150;
const LINKED_MIN = 0.6;

/** `unread`: what was left out before anything was judged. */
export async function coverageOf({ facts, judged }: Verdict, unread: readonly LeftOut[]): Promise<Coverage> {
  const pace = new Pace();
  const found = new Map<LeftOutKind, LeftOut>(unread.map((one) => [one.kind, one]));
  const tables = new Set<Element>();
  let [wordsVisible, wordsRead, texts] = [unread.reduce((sum, { words }) => sum + words, 0), 0, 0];
  for (const one of judged) {
    const { words } = one.block;
    wordsVisible += words;
    if (pace.isDue) await pace.pause();
    if (one.isRead) {
      wordsRead += words;
      continue;
    }
    const kind = kindOf(one, facts);
    const group = found.get(kind) ?? { kind, count: 0, words: 0, texts: [] };
    found.set(kind, group);
    group.words += words;
    const table = kind === "linkTables" ? tableOf(one) : null;
    if (!table || !tables.has(table)) group.count++;
    if (table) tables.add(table);
    if (texts++ < TEXTS_MAX) group.texts.push(shortened(one.block.text.replaceAll("\t", " ").trim()));
  }
  return { wordsVisible, wordsRead, leftOut: [...found.values()].sort((a, b) => b.words - a.words) };
}

/** As much of a text as is shown of what was left out. */
export const shortened = (text: string): string =>
  text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX - 1)}…` : text;

function tableOf({ block }: Judged): Element | null {
  for (let at: typeof block.container | null = block.container; at; at = at.parent)
    if (at.tag === "TABLE") return at.element;
  return null;
}

/** Zones in the order in which they name what lies in several of them. */
const ZONES = [
  "notice",
  "share",
  "advertisement",
  "form",
  "related",
  "navigation",
  "notes",
  "sidebar",
  "footer",
] as const;

function kindOf(one: Judged, facts: PageFacts): LeftOutKind {
  const { block, features } = one;
  if (block.isControl) return "controls";
  const { parts } = facts.zoneOf(block);
  const group = facts.groupOf(block);
  const isLinks = block.linked > LINKED_MIN || group.linked > group.chars * LINKED_MIN;
  if (isLinks && tableOf(one)) return "linkTables";
  const zone = ZONES.find((part) => parts.has(part));
  if (zone) return zone;
  const line = facts.lineOf(block);
  if (line === "lead") return "related";
  if (line || parts.has("byline")) return "byline";
  if (isLinks || parts.has("header")) return "navigation";
  return (features.besideText ?? 0) > 0.5 ? "sidebar" : "other";
}
