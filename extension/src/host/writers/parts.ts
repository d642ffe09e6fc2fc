// Written text from the parts of a page.
import type { WrittenText } from "@pith/web";
import type { Judged, Prepared, Wanted } from "./device.js";
import type { ChatResult } from "./openai/collected.js";

/** What was written of one part. */
export interface Part extends Judged {
  prepared: Prepared;
  /** Null while it is being written. */
  result: ChatResult | null;
  /** When its first line stood. */
  first_ms: number | null;
}

const LINES = { short: 3, medium: 5, long: 8 } as const;
const OF_KIND = { tldr: 2, teaser: 3, headline: 1 } as const;

/** How many lines are wanted. An answer has as many as it needs. */
export function linesMax(wanted: Wanted): number {
  if (wanted.type === "ask") return Number.POSITIVE_INFINITY;
  return wanted.kind in OF_KIND ? OF_KIND[wanted.kind as keyof typeof OF_KIND] : LINES[wanted.length];
}

/** Takes turns among the parts until there are enough lines; gives each line's part and index, in the order of the page. */
export function choose(parts: readonly { lines: readonly unknown[] }[], max: number): { part: number; line: number }[] {
  const chosen: { part: number; line: number }[] = [];
  const longest = Math.max(0, ...parts.map(({ lines }) => lines.length));
  for (let line = 0; line < longest && chosen.length < max; line++) {
    const having = parts.flatMap(({ lines }, part) => (line < lines.length ? [part] : []));
    const left = max - chosen.length;
    // Where not every part can have a line more, those are taken that lie evenly on the page.
    const taken = having.length <= left ? having : having.filter((_, at) => isEven(at, having.length, left));
    chosen.push(...taken.map((part) => ({ part, line })));
  }
  return chosen.sort((a, b) => a.part - b.part || a.line - b.line);
}

const isEven = (at: number, of: number, count: number): boolean =>
  at === 0 || Math.floor((at * count) / of) > Math.floor(((at - 1) * count) / of);

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The parts without the lines that an earlier one has. */
function distinct(parts: readonly Part[]): Part[] {
  const texts = new Set<string>();
  return parts.map((part) => ({
    ...part,
    lines: part.lines.filter(({ text }) => !texts.has(text) && texts.add(text)),
  }));
}

/** Joins what was written of the parts, by whom and where. */
export function toWritten(
  all: readonly Part[],
  max: number,
  { by, where, context_tokens, begun_ms }: { by: string; where: string; context_tokens: number; begun_ms: number },
): WrittenText {
  const parts = distinct(all);
  // With one part the device has counted already.
  const chosen = parts.length === 1 ? null : choose(parts, max);
  const offsets: number[] = [];
  for (const { passages } of parts) offsets.push((offsets.at(-1) ?? 0) + passages.length);
  const lines = parts.flatMap(({ lines }, part) => {
    const first = part === 0 ? 0 : (offsets[part - 1] ?? 0);
    const kept = chosen
      ? lines.filter((_, line) => chosen.some((one) => one.part === part && one.line === line))
      : lines;
    return kept.map((line) => ({ ...line, sources: line.sources.map((source) => source + first) }));
  });
  const results = parts.flatMap(({ result }) => (result ? [result] : []));
  const firsts = parts.flatMap(({ first_ms }) => (first_ms === null ? [] : [first_ms]));
  const now_ms = performance.now();
  return {
    lines,
    passages: parts.flatMap(({ passages }) => passages),
    by,
    backend: { kind: where, device: by, reason: "" },
    parts: parts.length,
    shareRead: Math.min(1, sum(parts.map(({ prepared }) => prepared.shareRead))),
    wordsRead: sum(parts.map(({ prepared }) => prepared.wordsRead)),
    promptTokens: sum(results.map(({ usage }) => usage?.promptTokens ?? 0)),
    reusedTokens: sum(results.map(({ usage }) => usage?.reusedTokens ?? 0)),
    tokens: sum(results.map(({ tokens }) => tokens)),
    contextTokens: context_tokens,
    firstLineMs: Math.min(now_ms, ...firsts) - begun_ms,
    timeMs: now_ms - begun_ms,
    thinkingTokens: sum(results.map(({ thinkingTokens }) => thinkingTokens)),
    finishReason: results.at(-1)?.finish === "length" ? "length" : "stop",
  };
}
