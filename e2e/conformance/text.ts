// The section tokenizers of the manifest, and the folder chat/.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Answer, Backend, Json, Subject, TemplateText } from "./browser.ts";
import { guarded, Refusal, unwrap } from "./fixtures.ts";
import type { Report } from "./report.ts";

interface TokenizerCase {
  text: string;
  ids?: number[];
  ids_special?: number[];
  detok_hex?: string;
}

export interface TokenizerSet {
  preset?: string;
  model: string;
  cases: TokenizerCase[];
}

/** Differences that a reason shows. */
const SHOWN = 2;

/** How many cases there were, and what is wrong. */
class Tally {
  #total = 0;
  #leftOut = 0;
  readonly #wrong: string[] = [];

  /** Adds a case: what differs, or null. */
  check(difference: string | null): void {
    this.#total++;
    if (difference !== null) this.#wrong.push(difference);
  }

  leaveOut(): void {
    this.#leftOut++;
  }

  verdict(): { pass: boolean; reason: string } {
    if (this.#total === 0) return { pass: false, reason: "no cases" };
    const wrong = this.#wrong.length;
    const leftOut = this.#leftOut > 0 ? `, ${this.#leftOut} left out` : "";
    if (wrong === 0) return { pass: true, reason: `${this.#total} equal${leftOut}` };
    const shown = this.#wrong.slice(0, SHOWN).join("; ");
    return { pass: false, reason: `${wrong} of ${this.#total} differ: ${shown}${leftOut}` };
  }
}

const none = { nmse: null, limit: null, greedy_equal: null };

/** Runs one tokenizer's texts: ids, ids with special tokens, and the text back. */
export async function runTokenizer(
  subject: Subject,
  backend: Backend,
  set: TokenizerSet,
  report: Report,
): Promise<void> {
  const verdict = await guarded(async () => {
    unwrap(await subject.load(`/reference/${set.model}`));
    const tally = new Tally();
    for (const one of set.cases) tally.check(await differenceInTokens(subject, one));
    return tally.verdict();
  });
  report.add({ name: set.preset ?? set.model, section: "tokenizers", backend, ...none, ...verdict });
  await subject.unload();
}

async function differenceInTokens(subject: Subject, one: TokenizerCase): Promise<string | null> {
  const { text, ids, ids_special, detok_hex } = one;
  const wrong: string[] = [];
  for (const [what, wanted, special] of [
    ["ids", ids, false],
    ["ids_special", ids_special, true],
  ] as const) {
    if (!wanted) continue;
    const found = unwrap(await subject.tokenize(text, special));
    if (found.join() !== wanted.join()) wrong.push(`${what} of ${JSON.stringify(text)}: ${found}, not ${wanted}`);
  }
  if (ids && detok_hex !== undefined) {
    const found = unwrap(await subject.detokenize(ids));
    // A page gets characters, with U+FFFD for bytes that are none.
    const wanted = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(detok_hex, "hex"));
    if (found !== wanted) wrong.push(`the text back of ${JSON.stringify(text)}: ${JSON.stringify(found)}`);
  }
  if (!ids && !ids_special) wrong.push(`${JSON.stringify(text)}: nothing to compare with`);
  return wrong[0] ?? null;
}

interface ChatFile {
  source?: string;
  add_generation_prompt?: boolean;
  cases: ChatCase[];
}

interface ChatCase {
  name?: string;
  template: string;
  conversation?: string;
  vars?: Json;
  messages?: Json[];
  bos_token?: string;
  eos_token?: string;
  jinja?: boolean;
  expect?: string;
  expected_jinja?: string;
}

type Check = (subject: Subject, folder: string, file: ChatFile, one: ChatCase, tally: Tally) => Promise<void>;
const FILES: Record<string, Check> = { jinja_cases, llama_cpp_cases, rendered };

/** Runs the files of the folder chat/ that are there. */
export async function runChat(
  subject: Subject,
  backend: Backend,
  folder: string,
  wanted: (name: string) => boolean,
  report: Report,
): Promise<void> {
  for (const [name, check] of Object.entries(FILES)) {
    const path = join(folder, "chat", `${name}.json`);
    if (!wanted(name) || !existsSync(path)) continue;
    const verdict = await guarded(async () => {
      const file = JSON.parse(await readFile(path, "utf8")) as ChatFile;
      const tally = new Tally();
      for (const one of file.cases) await check(subject, folder, file, one, tally);
      return tally.verdict();
    });
    report.add({ name, section: "chat", backend, ...none, ...verdict });
  }
}

/** What differs; `wanted` is undefined where an error is. */
function difference(name: string, { value, error }: Answer<string>, wanted: string | undefined): string | null {
  if (error) return wanted === undefined ? null : `${name}: ${error.detail}`;
  if (value === wanted) return null;
  const expected = wanted === undefined ? "where an error was expected" : `not ${JSON.stringify(wanted)}`;
  return `${name}: ${JSON.stringify(value)}, ${expected}`;
}

/** The time that a file's renderings were made at, from its words about itself, as the arguments of `Date`. */
function time({ source = "" }: ChatFile): number[] {
  const found = /(\d+)-(\d+)-(\d+) (\d+):(\d+):(\d+)/.exec(source)?.slice(1).map(Number);
  const [year, month, ...rest] = found ?? [2025, 1, 15, 12, 0, 0];
  return [year!, month! - 1, ...rest];
}

/** A small template with its variables. */
async function jinja_cases(subject: Subject, _: string, file: ChatFile, one: ChatCase, tally: Tally): Promise<void> {
  const render = async (variables: Json): Promise<string | null> => {
    const found = await subject.applyTemplate({ text: one.template }, null, { variables, now: time(file) });
    return difference(one.name ?? "?", found, one.expect);
  };
  let wrong = await render(one.vars ?? {});
  // Where a template changes the list that it is given, the file has the list as it was afterwards.
  if (wrong !== null && /\.(pop|append)\(/.test(one.template)) {
    if ((await render({ arr: ["a", "b", "c"] })) === null) wrong = null;
  }
  tally.check(wrong);
}

/** A real template with a conversation as `transformers` takes it. */
async function rendered(subject: Subject, folder: string, file: ChatFile, one: ChatCase, tally: Tally): Promise<void> {
  const path = join(folder, "chat/templates", `${one.template}.jinja`);
  if (!existsSync(path)) throw new Refusal(`${path} does not exist`);
  const text = await readFile(path, "utf8");
  const found = await subject.applyTemplate({ text }, null, { variables: one.vars ?? {}, now: time(file) });
  tally.check(difference(`${one.template} ${one.conversation}`, found, one.expect));
}

/**
 * A template with a conversation as llama.cpp takes it: where the template refuses a system message, the first user
 * message gets it.
 */
async function llama_cpp_cases(
  subject: Subject,
  _: string,
  file: ChatFile,
  one: ChatCase,
  tally: Tally,
): Promise<void> {
  const variables: Json = { add_generation_prompt: file.add_generation_prompt ?? true };
  const template: TemplateText = {
    text: one.template,
    bosToken: one.bos_token ?? "",
    eosToken: one.eos_token ?? "",
  };
  if (one.jinja === false) {
    // The expectation is that of a format written in C++. A template can only meet it with tokens that the file does
    // not name; those of GigaChat, of which this is known, are given here.
    if (!one.template.includes("additional_special_tokens")) return tally.leaveOut();
    template.bosToken = "<s>";
    variables["additional_special_tokens"] = ["<|role_sep|>", "<|message_sep|>", "[", "]"];
  }
  const found = await subject.applyTemplate(template, one.messages ?? [], { variables });
  tally.check(difference(one.name ?? "?", found, one.expected_jinja));
}
