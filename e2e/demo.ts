// The whole way once, as a user goes it: a browser with the extension, a page, the toolbar button, the side panel.
// Prints the summary with its sources, timings, the backend and the adapter.
//
//   tsx demo.ts [FILE|URL]

import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { TabState } from "../extension/src/wire.ts";
import { launch, type Launched } from "./harness/launch.ts";
import { ROOT } from "./harness/paths.ts";
import { serve, type Site } from "./harness/server.ts";

const SILENCE_MS_MAX = 120_000;
const BACKEND = process.env.PITH_BACKEND ?? "webgpu";
const seconds = (time_ms: number) => `${(time_ms / 1000).toFixed(2)} s`;

async function main(): Promise<void> {
  const started_ms = performance.now();
  const launched = await launch();
  const { site, url } = await locate(process.argv[2]);
  const launched_ms = performance.now();
  try {
    const page = await launched.context.newPage();
    await page.goto(url, { waitUntil: "load" });
    const { vendor, architecture, description } = launched.adapter;
    console.log(`page      ${url}`);
    console.log(`browser   ${launched.context.browser()?.version()}, started in ${seconds(launched_ms - started_ms)}`);
    console.log(`adapter   ${[vendor, architecture, description].filter(Boolean).join(" ")} (as WebGPU reports it)`);
    await chooseBackend(launched);
    const pressed_ms = performance.now();
    await page.bringToFront();
    await launched.targets.pressAction(page.url());
    const state = await finished(launched);
    print(state, performance.now() - pressed_ms);
    const errors = launched.errors.unexpected();
    if (errors.length > 0) throw new Error(`the console shows errors:\n${errors.join("\n")}`);
  } finally {
    await launched.close();
    await site?.close();
  }
}

/** A web address as it is; a file, or the bundled article, through a server of our own. */
async function locate(argument: string | undefined): Promise<{ site: Site | null; url: string }> {
  if (argument && /^https?:\/\//.test(argument)) return { site: null, url: argument };
  const file = resolve(argument ?? resolve(ROOT, "e2e/pages/article/index.html"));
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  const site = await serve({ "/": dirname(file) });
  return { site, url: site.url(encodeURIComponent(basename(file))) };
}

async function chooseBackend(launched: Launched): Promise<void> {
  const settings = JSON.stringify({ settings: { backend: BACKEND, length: "medium" } });
  await launched.targets.evaluate("background.js", `chrome.storage.local.set(${settings})`);
}

/** What the panel shows: the state of its tab, and the words of a problem that kept it from reading the page. */
interface Seen {
  state: TabState | null;
  problem: string | null;
}

/**
 * Runs in the side panel, on a second listener to the panel's own line to the host; resolves with what it shows as soon
 * as that differs from `known`. Compared with what we were told, not with what the panel showed last: it may change
 * between an answer and the next question.
 */
const changedFrom = (known: string) => `new Promise((resolve) => {
  const known = ${JSON.stringify(known)};
  const seen = (globalThis.demoSeen ??= { state: null });
  seen.tell = () => {
    const problem = document.querySelector("#summary [role=alert]")?.textContent ?? null;
    const text = JSON.stringify({ state: seen.state, problem });
    if (text !== known && (seen.state || problem)) resolve(text);
  };
  // The host may not be there yet: then the line ends at once, and is tried again.
  const connect = () => {
    const tab = new URLSearchParams(location.search).get("tab");
    seen.port = chrome.runtime.connect({ name: "panel:" + tab });
    seen.port.onMessage.addListener((message) => { seen.state = message.state; seen.tell(); });
    seen.port.onDisconnect.addListener(() => { void chrome.runtime.lastError; setTimeout(connect, 100); });
  };
  if (!seen.port) {
    connect();
    new MutationObserver(() => seen.tell()).observe(document, { subtree: true, childList: true });
  }
  seen.tell();
})`;

/** Follows the side panel that the toolbar button opened until the summary is done. */
async function finished(launched: Launched): Promise<TabState> {
  let known = "";
  let shown = "";
  for (;;) {
    known = await inTime(launched.targets.evaluate<string>("sidepanel/index.html", changedFrom(known)), shown);
    const { state, problem } = JSON.parse(known) as Seen;
    const job = state?.summary;
    if (state && job?.phase === "done") return state;
    if (job?.phase === "failed") throw new Error(Object.values(job.error).join(" "));
    if (problem) throw new Error(`the panel says: ${problem}`);
    const stage = job?.phase === "working" ? job.stage : "";
    if (stage && stage !== shown) console.log(`working   ${stage}`);
    shown = stage || shown;
  }
}

/** The panel tells of every step: when it says nothing for this long, something hangs. */
async function inTime<T>(work: Promise<T>, stage: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const say = () => reject(new Error(`nothing new for ${seconds(SILENCE_MS_MAX)} at "${stage}"`));
    timer = setTimeout(say, SILENCE_MS_MAX);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function print(state: TabState, waited_ms: number): void {
  const job = state.summary;
  if (job?.phase !== "done") throw new Error("the summary is not done");
  const { title, description, lines, method, backend, sentences, words, timeMs } = job.result;
  console.log(`\n${title}\n`);
  if (description) console.log(`  ${description}  [the author's own]\n`);
  for (const { text, block, start, end } of lines) console.log(`  - ${text}  [passage ${block}, ${start}-${end}]`);
  console.log(`\nsummary   ${lines.length} of ${sentences} sentences, ${words} words read, chosen by ${method}`);
  console.log(`backend   ${backend ? `${backend.kind}, ${backend.device} (${backend.reason})` : "none: text only"}`);
  console.log(`times     summary ${seconds(timeMs)}; from the click, model load included, ${seconds(waited_ms)}`);
  if (lines.length === 0) throw new Error("the summary is empty");
  if (backend?.kind !== BACKEND) throw new Error(`asked for ${BACKEND}, ran on ${backend?.kind ?? "no backend"}`);
}

await main().catch((error: unknown) => {
  console.error(`\ndemo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
