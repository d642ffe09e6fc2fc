// The longest task of a page's main thread, by the processor time that it took: waiting for a busy machine is no work of ours.

import type { CDPSession, Page } from "@playwright/test";

/** An event of Chromium's traces; `tdur` is processor time in microseconds. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  tdur?: number;
}

const MARK = "pith-main-thread";
/** A task of so many steps is put in, which takes any processor this long at least: a trace without it would prove nothing. */
const KNOWN_STEPS = 100_000_000;
const KNOWN_MS_MIN = 50;

/** Does the work, and gives the length in milliseconds of the page's longest task meanwhile. Chromium only. */
export async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  try {
    const before = await trace(devtools, async () => {
      await mark(page);
      await work();
    });
    const known = await trace(devtools, async () => {
      await mark(page);
      await page.evaluate((steps) => {
        let sum = 0;
        for (let at = 0; at < steps; at++) sum = (sum + at) % 1_000_003;
        return sum;
      }, KNOWN_STEPS);
    });
    if (longestIn(known) < KNOWN_MS_MIN) throw new Error("long tasks are not in this trace");
    return longestIn(before);
  } finally {
    await devtools.detach();
  }
}

const mark = (page: Page): Promise<unknown> => page.evaluate((name) => void performance.mark(name), MARK);

async function trace(devtools: CDPSession, work: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }): void => void events.push(...(value as TraceEvent[]));
  devtools.on("Tracing.dataCollected", collect);
  const complete = new Promise<void>((resolve) => devtools.once("Tracing.tracingComplete", () => resolve()));
  await devtools.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: {
      recordMode: "recordAsMuchAsPossible",
      includedCategories: ["toplevel", "blink.user_timing"],
      excludedCategories: ["*"],
    },
  });
  try {
    await work();
  } finally {
    await devtools.send("Tracing.end");
    await complete;
    devtools.off("Tracing.dataCollected", collect);
  }
  return events;
}

/** Of the thread that made the mark. */
function longestIn(events: readonly TraceEvent[]): number {
  const own = events.find(({ name }) => name === MARK);
  if (!own) throw new Error("the page made no mark");
  const tasks = events.filter(({ pid, tid }) => pid === own.pid && tid === own.tid);
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1_000));
}
