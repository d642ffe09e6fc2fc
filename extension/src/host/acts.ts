import { PithError, type Page, type Progress } from "@pith/web";
import { mayCompose } from "../allowed.js";
import { PROMPT_CHARS_MAX, SELECTION_CHARS_MAX } from "../actions.js";
import type { Act, ActRequest, ActTurn, Ending, Written } from "../acts-wire.js";
import type { Job, Settings } from "../wire.js";
import { actMessages, drawNonce } from "./act-prompt.js";
import type { Engine } from "./engine.js";
import { withoutFrame } from "./frame.js";
import { run } from "./run.js";
import { chat, chatInBrowser } from "./writers/chat.js";

const ACTS_MAX = 5;
const TURNS_MAX = 20;
/** Paragraphs of a selection that is summarized by its key sentences. */
const BLOCKS_MAX = 500;

const failed = (code: string, detail = ""): PithError => new PithError({ code, message: "", detail });

/** What was asked of selected texts of one tab. */
export class Acts {
  #acts: Act[] = [];
  readonly #engine: Engine;
  readonly #changed: (acts: Act[]) => void;
  readonly #about = new Map<number, Pick<ActRequest, "title" | "language" | "isSummary">>();
  readonly #stops = new Map<number, AbortController>();
  #nextId = 1;

  constructor(engine: Engine, changed: (acts: Act[]) => void) {
    this.#engine = engine;
    this.#changed = changed;
  }

  /** Runs an instruction on a selection, or asks on about an earlier one. */
  async run(request: ActRequest, settings: Settings): Promise<void> {
    const id = request.act ?? this.#begin(request);
    const act = this.#acts.find((one) => one.id === id);
    if (!act || act.turns.length >= TURNS_MAX) return;
    this.cancel(id);
    const stop = new AbortController();
    this.#stops.set(id, stop);
    const at = act.turns.length;
    const instruction = request.instruction.slice(0, PROMPT_CHARS_MAX + 1);
    const show = (job: Job<Written>): void => {
      this.#change(id, (turns) => [...turns.slice(0, at), { instruction, job }, ...turns.slice(at + 1)]);
    };
    await run<Written>(stop.signal, show, (onProgress, onDraft) =>
      this.#write(id, at, request, settings, stop.signal, onProgress, onDraft),
    );
  }

  /** Goes on with these, and tells nobody. Of what they were about, their texts are left. */
  restore(acts: Act[]): void {
    this.#nextId = Math.max(0, ...acts.map(({ id }) => id)) + 1;
    for (const { id } of acts) this.#about.set(id, { title: "", language: null, isSummary: false });
    this.#acts = acts;
  }

  cancel(id: number): void {
    this.#stops.get(id)?.abort();
    this.#stops.delete(id);
  }

  /** Ends an act and drops it. */
  close(id: number): void {
    this.cancel(id);
    this.#about.delete(id);
    this.#set(this.#acts.filter((one) => one.id !== id));
  }

  /** Ends all and drops it. */
  clear(): void {
    for (const { id } of this.#acts) this.close(id);
  }

  #begin({ name, text, title, language, isSummary }: ActRequest): number {
    const id = this.#nextId++;
    this.#about.set(id, { title, language, isSummary });
    const act = { id, name, text: text.slice(0, SELECTION_CHARS_MAX), turns: [] };
    const [kept, old] = [this.#acts.slice(0, ACTS_MAX - 1), this.#acts.slice(ACTS_MAX - 1)];
    for (const one of old) this.close(one.id);
    this.#set([act, ...kept]);
    return id;
  }

  async #write(
    id: number,
    at: number,
    { instruction }: ActRequest,
    { backend, writer }: Settings,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
    onDraft: (draft: Written) => void,
  ): Promise<Written> {
    const act = this.#acts.find((one) => one.id === id);
    const about = this.#about.get(id);
    if (!act || !about) throw failed("action_gone");
    if (instruction.length > PROMPT_CHARS_MAX) throw failed("action_too_long", String(instruction.length));
    if (act.text.trim() === "") throw failed("selection_none");
    const isSummary = about.isSummary && at === 0;
    if (isSummary && (!writer || !mayCompose(writer))) return this.#keySentences(act.text, about, signal, onProgress);
    if (!writer) throw failed("no_writer");
    if (writer.type === "server") throw failed("writer_server_actions", writer.host);
    const nonce = drawNonce();
    const turns = [...act.turns.slice(0, at).filter(isAnswered).map(toExchange), { instruction, answer: "" }];
    const said = turns.flatMap(({ instruction, answer }) => [instruction, answer]);
    const frame = { nonce, texts: [act.text, about.title, ...said] };
    const written = (text: string, isComplete: boolean, ending: Ending): Written => {
      return { text: withoutFrame(text, frame, isComplete), sentences: [], ending, timeMs: 0 };
    };
    const messages = actMessages({ text: act.text, title: about.title, turns }, nonce);
    const onText = (text: string): void => onDraft(written(text, false, "whole"));
    const hooks = { signal, onProgress, onText };
    const { text, ending } =
      writer.type === "browser"
        ? await chatInBrowser(writer.title, messages, hooks)
        : await chat(this.#engine.forWriting(), writer.name, backend, messages, hooks);
    const result = written(text, true, ending);
    if (result.text === "") throw failed("writer_empty");
    return result;
  }

  /** Without a writer: the sentences that say most, as of a page. */
  async #keySentences(
    text: string,
    { title, language }: Pick<ActRequest, "title" | "language">,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<Written> {
    const paragraphs = text.split(/\n\s*\n|\n/).filter((one) => one.trim() !== "");
    const blocks = paragraphs.slice(0, BLOCKS_MAX).map((one) => ({ kind: "paragraph" as const, text: one }));
    const page: Page = { title, blocks, ...(language !== null && { language }) };
    const pith = await this.#engine.pith();
    const { lines } = await pith.summarize(page, { length: "short", signal, onProgress });
    return { text: "", sentences: lines.map((line) => line.text), ending: "whole", timeMs: 0 };
  }

  #change(id: number, change: (turns: ActTurn[]) => ActTurn[]): void {
    this.#set(this.#acts.map((one) => (one.id === id ? { ...one, turns: change(one.turns) } : one)));
  }

  #set(acts: Act[]): void {
    this.#acts = acts;
    this.#changed(acts);
  }
}

const isAnswered = ({ job }: ActTurn): boolean => job.phase === "done";

function toExchange({ instruction, job }: ActTurn): { instruction: string; answer: string } {
  const { text = "", sentences = [] } = job.phase === "done" ? job.result : {};
  return { instruction, answer: text || sentences.join("\n") };
}
