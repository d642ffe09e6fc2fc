// The whole way once, as a user goes it: a browser with the extension, a page, the toolbar button, the side panel.
// Prints the summary with its sources, timings, the backend and the adapter. Where SmolLM2 is in the cache, it writes beside the key
// sentences what its test lets it write, and answers a question.
//
//   tsx demo.ts [FILE|URL] [--ask QUESTION]... [--backend webgpu|webgl2|cpu] [--json]

import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Question, Settings, TabState } from "../extension/src/wire.ts";
import type { Writing } from "../extension/src/writing-wire.ts";
import type { Answer, BackendInfo, Passage, WrittenText } from "../web/src/protocol.gen.ts";
import { launch, type Launched } from "./harness/launch.ts";
import { ROOT, SMOLLM2_FILE } from "./harness/paths.ts";
import { serve, type Site } from "./harness/server.ts";
import { storeFile } from "./harness/stored-model.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ask: { type: "string", multiple: true },
    backend: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const SILENCE_MS_MAX = 240_000;
const SUGGESTION_MS_MAX = 5_000;
/** As the extension chooses by itself: not a GPU in software, which writes for minutes. */
const BACKEND = options.backend ?? process.env.PITH_BACKEND ?? "auto";
/** With `--json` the last line of the output is the result, and the rest goes to the other stream. */
const say = options.json ? console.error : console.log;
const seconds = (time_ms: number) => `${(time_ms / 1000).toFixed(2)} s`;

async function main(): Promise<void> {
  const started_ms = performance.now();
  const launched = await launch();
  const { site, url } = await locate(positionals[0]);
  const launched_ms = performance.now();
  try {
    const page = await launched.context.newPage();
    await page.goto(url, { waitUntil: "load" });
    const { vendor, architecture, description } = launched.adapter;
    say(`page      ${url}`);
    say(`browser   ${launched.context.browser()?.version()}, started in ${seconds(launched_ms - started_ms)}`);
    say(`adapter   ${[vendor, architecture, description].filter(Boolean).join(" ")} (as WebGPU reports it)`);
    const model = existsSync(SMOLLM2_FILE) ? await storeModel(launched) : null;
    const settings = await chooseSettings(launched, model);
    const pressed_ms = performance.now();
    await page.bringToFront();
    await launched.targets.pressAction(page.url());
    const follow = new Panel(launched);
    const state = await follow.until("the summary", ({ summary }) => summary);
    const summary_ms = performance.now() - pressed_ms;
    print(state, summary_ms);
    const written = model ? await write(follow) : null;
    const answers: Answered[] = [];
    for (const question of options.ask ?? [await follow.suggestion(state)])
      answers.push(await ask(follow, settings, question));
    printBackend(answers);
    if (options.json) console.log(JSON.stringify(toJson(launched, state, summary_ms, written, answers)));
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

/** Puts the language model into the extension's store; gives its name there. */
async function storeModel({ context, extensionUrl }: Launched): Promise<string> {
  const own = await context.newPage();
  await own.goto(`${extensionUrl ?? ""}pages/actions/index.html`);
  const name = await storeFile(own, SMOLLM2_FILE);
  await own.close();
  return name;
}

/** What the panel's settings store, and who writes. */
async function chooseSettings(launched: Launched, model: string | null): Promise<Settings> {
  const writer =
    model === null ? null : { type: "local" as const, name: model, title: "SmolLM2", source: null, tier: null };
  const settings = { backend: BACKEND as Settings["backend"], length: "medium" as const };
  const stored = JSON.stringify({ settings, roles: { writer } });
  await launched.targets.evaluate("background.js", `chrome.storage.local.set(${stored})`);
  return {
    ...settings,
    writer,
    encoder: null,
    kind: "keyPoints",
    targetLanguage: null,
    unsupported: "replace",
  };
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

/** The side panel that the toolbar button opened. */
class Panel {
  readonly #launched: Launched;
  #known = "";
  #shown = "";
  constructor(launched: Launched) {
    this.#launched = launched;
  }

  /** Follows the state until that job is done. */
  async until(
    what: string,
    jobOf: (state: TabState) => TabState["summary"] | Question["job"] | Writing["job"] | null,
    onDraft = () => {},
  ): Promise<TabState> {
    for (;;) {
      const { state, problem } = await this.#next(what);
      const job = state ? (jobOf(state) ?? null) : null;
      if (job && (job.phase === "done" || job.draft)) onDraft();
      if (state && job?.phase === "done") return state;
      if (job?.phase === "failed") throw new Error(`${what}: ${Object.values(job.error).join(" ")}`);
      if (job?.phase === "cancelled") throw new Error(`${what} was cancelled`);
      if (problem) throw new Error(`the panel says: ${problem}`);
      const stage = job?.phase === "working" ? job.stage : "";
      if (stage && stage !== this.#shown) say(`working   ${stage}`);
      this.#shown = stage || this.#shown;
    }
  }

  /** The first question that the panel offers on a page; on one where it offers none, what the page is called. */
  async suggestion(now: TabState): Promise<string> {
    let [found] = now.suggestions;
    const end_ms = performance.now() + SUGGESTION_MS_MAX;
    while (!found && performance.now() < end_ms) {
      const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), SUGGESTION_MS_MAX));
      [found] = (await Promise.race([this.#next("a question"), late]))?.state?.suggestions ?? [];
    }
    return found ?? now.page?.title ?? "";
  }

  async #next(what: string): Promise<Seen> {
    const next = this.#launched.targets.evaluate<string>("sidepanel/index.html", changedFrom(this.#known));
    this.#known = await inTime(next, `${what}, ${this.#shown}`);
    return JSON.parse(this.#known) as Seen;
  }

  /** Tells the host what a panel would. */
  async send(message: object): Promise<void> {
    const expression = `globalThis.demoSeen.port.postMessage(${JSON.stringify(message)})`;
    await this.#launched.targets.evaluate("sidepanel/index.html", expression);
  }
}

/** Prints what the model writes after the key sentences. Null where it may not write, or where the page supports nothing of it. */
async function write(panel: Panel): Promise<WrittenText | null> {
  const state = await panel.until("the written summary", ({ writing }) => writing?.job ?? null);
  const job = state.writing?.job;
  if (job?.phase !== "done") throw new Error("the written summary is not done");
  const { written, notWritten } = job.result;
  if (written) printWritten("written", written);
  else say(`\nwritten   nothing: ${notWritten ?? "no reason given"}`);
  return written;
}

/** An answer, with the times from the question to its first passages and to its end. */
interface Answered {
  question: string;
  answer: Answer;
  first_ms: number;
  final_ms: number;
}

/** Asks the page, and prints the answer. */
async function ask(panel: Panel, settings: Settings, question: string): Promise<Answered> {
  const asked_ms = performance.now();
  let first_ms = 0;
  await panel.send({ type: "ask", text: question, settings });
  const jobOf = ({ questions }: TabState) => questions.findLast(({ text }) => text === question)?.job ?? null;
  const state = await panel.until("the answer", jobOf, () => (first_ms ||= performance.now() - asked_ms));
  const final_ms = performance.now() - asked_ms;
  const job = jobOf(state);
  if (job?.phase !== "done") throw new Error("the answer is not done");
  const { passages, answered, reason, written, notWritten, timeMs } = job.result;
  say(`\n${question}\n`);
  if (!answered) say("  The page does not seem to say. The closest passages:");
  for (const passage of passages) say(`  - ${passage.text}  [${place(passage)}]`);
  say(`\nanswer    ${reason}, ${passages.length} passages, ${seconds(timeMs)}`);
  if (written) printWritten("answer", written);
  else if (notWritten) say(`written   nothing: ${notWritten}`);
  return { question, answer: job.result, first_ms, final_ms };
}

const place = ({ block, start, end }: Passage): string => `passage ${block}, ${start}-${end}`;

function printWritten(what: string, text: WrittenText): void {
  say("");
  for (const { text: line, sources, support } of text.lines) {
    const places = sources.map((at) => text.passages[at]).filter((found) => found !== undefined);
    say(`  - ${line}  [${support}; ${places.map(place).join("; ")}]`);
  }
  const share = Math.round(text.shareRead * 100);
  say(
    `\n${what.padEnd(9)} by ${text.by} on ${text.backend.kind}: ${text.wordsRead} words read (${share} % of the page)`,
  );
  say(
    `speed     first line ${seconds(text.firstLineMs)}, all ${seconds(text.timeMs)}, ${text.tokens} tokens ` +
      `(${speedOf(text).toFixed(1)} a second), ${text.reusedTokens} of ${text.promptTokens} prompt tokens reused`,
  );
}

const speedOf = ({ tokens, timeMs }: WrittenText): number => (timeMs > 0 ? (tokens * 1000) / timeMs : 0);

/** The result as one line for programs. */
function toJson(
  { adapter }: Launched,
  { summary, page }: TabState,
  summary_ms: number,
  written: WrittenText | null,
  answers: Answered[],
) {
  const at = ({ block, start, end }: Passage) => ({ block, start, end });
  const linesOf = (text: WrittenText) => ({
    model: text.by,
    lines: text.lines.map((line) => ({
      text: line.text,
      sources: line.sources.flatMap((source) => (text.passages[source] ? [at(text.passages[source])] : [])),
      supported: line.support !== "unsupported",
    })),
    // Lines that the page did not support, in whose place its own sentences stand.
    dropped: text.lines.filter(({ support }) => support === "replaced").length,
    tokens_per_s: speedOf(text),
  });
  const result = summary?.phase === "done" ? summary.result : null;
  return {
    backend: backendOf(answers)?.kind ?? null,
    adapter: [adapter.vendor, adapter.architecture, adapter.description].filter(Boolean).join(" "),
    words_visible: page?.coverage.wordsVisible ?? 0,
    words_read: page?.coverage.wordsRead ?? 0,
    key_lines: (result?.lines ?? []).map((passage) => ({ text: passage.text, ...at(passage) })),
    written: written ? linesOf(written) : null,
    answers: answers.map(({ question, answer, first_ms, final_ms }) => ({
      question,
      first_ms,
      final_ms,
      answered: answer.answered,
      passages: answer.passages.map(({ text }) => text),
      written: answer.written ? linesOf(answer.written) : null,
    })),
    // A summary needs no model: its first line comes with all others.
    first_line_ms: summary_ms,
    final_ms: summary_ms,
  };
}

/** Where the embedding model ran, which finds answers. */
const backendOf = (answers: Answered[]): BackendInfo | null =>
  answers.map(({ answer }) => answer.backend).find((backend) => backend !== null) ?? null;

function printBackend(answers: Answered[]): void {
  const backend = backendOf(answers);
  say(`backend   ${backend ? `${backend.kind}, ${backend.device} (${backend.reason})` : "none: words alone"}`);
  if (BACKEND !== "auto" && backend?.kind !== BACKEND)
    throw new Error(`asked for ${BACKEND}, ran on ${backend?.kind ?? "no backend"}`);
}

/** The panel tells of every step: when it says nothing for this long, something hangs. */
async function inTime<T>(work: Promise<T>, stage: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const tell = () => reject(new Error(`nothing new for ${seconds(SILENCE_MS_MAX)} at "${stage}"`));
    timer = setTimeout(tell, SILENCE_MS_MAX);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function print(state: TabState, waited_ms: number): void {
  const job = state.summary;
  if (job?.phase !== "done") throw new Error("the summary is not done");
  const { title, description, lines, sentences, words, timeMs } = job.result;
  say(`\n${title}\n`);
  if (description) say(`  ${description}  [the author's own]\n`);
  for (const { text, block, start, end } of lines) say(`  - ${text}  [passage ${block}, ${start}-${end}]`);
  say(`\nsummary   ${lines.length} of ${sentences} sentences, ${words} words read`);
  say(`times     summary ${seconds(timeMs)}; from the click ${seconds(waited_ms)}`);
  if (lines.length === 0) throw new Error("the summary is empty");
}

await main().catch((error: unknown) => {
  console.error(`\ndemo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
