// Trained models: the folder real/ of the reference set.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Backend, Subject } from "./browser.ts";
import { Refusal, unwrap } from "./fixtures.ts";
import type { Report, Result } from "./report.ts";
import { cosine, Distance } from "./score.ts";

interface Story {
  file: string;
  prompt: string;
  prompt_ids: number[];
  first_logits: number[];
  greedy_ids: number[];
  greedy_text: string;
}

type Verdict = Pick<Result, "nmse" | "greedy_equal" | "limit" | "pass" | "reason">;
interface Case {
  name: string;
  url: string;
  run: (subject: Subject) => Promise<Verdict>;
}

/** The goldens of quantised files come from an engine that quantises activations too: README, "Suggested tolerances". */
const LIMIT_QUANTISED = 1e-2;
/** The golden logits are printed with five decimals, and made with an f16 table in places. */
const LIMIT_EXACT = 1e-5;
/** Smallest cosine of a Q8_0 sentence vector to the f32 reference. */
const COSINE_MIN = 0.998;

/** Runs every trained model that is there, on what `stride` leaves of each. `minilm` is the embedded default's file. */
export async function runReal(
  subject: Subject,
  backend: Backend,
  folder: string,
  minilm: string | null,
  stride: number,
  wanted: (name: string) => boolean,
  report: Report,
): Promise<void> {
  const cases = [...(await stories(folder, stride)), sorting(stride)];
  if (minilm) cases.push(await sentences(folder, minilm, stride));
  for (const { name, url, run } of cases.filter((one) => wanted(one.name))) {
    const base = { name, section: "real", backend };
    try {
      unwrap(await subject.load(url));
      report.add({ ...base, ...(await run(subject)) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      report.add({ ...base, nmse: null, limit: null, greedy_equal: null, pass: false, reason: error.message });
    } finally {
      await subject.unload();
    }
  }
}

async function stories(folder: string, stride: number): Promise<Case[]> {
  const records = JSON.parse(await readFile(join(folder, "real/golden_lm.json"), "utf8")) as Story[];
  const files = [...new Set(records.map(({ file }) => file))].filter((file) => existsSync(join(folder, "real", file)));
  return files.map((file) => ({
    name: file.replace(".gguf", ""),
    url: `/reference/real/${file}`,
    run: (subject) =>
      tell(
        subject,
        records.filter((record) => record.file === file),
        stride,
      ),
  }));
}

/** Logits of every prompt; on unquantised files also the text, of every `stride`-th. */
async function tell(subject: Subject, records: Story[], stride: number): Promise<Verdict> {
  const exact = /f(16|32)\.gguf$/.test(records[0]!.file);
  const [distance, wrong] = [new Distance(), [] as string[]];
  for (const [at, { prompt, prompt_ids, first_logits, greedy_ids, greedy_text }] of records.entries()) {
    const rows = unwrap(await subject.evaluate(prompt_ids, prompt_ids.length - 1, []));
    distance.add(rows.values, Float32Array.from(first_logits));
    if (!exact || at % stride > 0) continue;
    const { text, ids, finish } = unwrap(await subject.generate(prompt_ids, greedy_ids.length));
    // The golden run does not stop at end tokens; ours does, and then it must have stopped before the story's end.
    const whole = finish === "stop" ? greedy_text.startsWith(text) : text === greedy_text;
    const same =
      ids.every((id, at) => id === greedy_ids[at]) && (finish === "stop" || ids.length === greedy_ids.length);
    if (!same || !whole) wrong.push(JSON.stringify(prompt));
  }
  const limit = exact ? LIMIT_EXACT : LIMIT_QUANTISED;
  const reasons = [
    ...(distance.nmse <= limit ? [] : ["first logits are off"]),
    ...(wrong.length > 0 ? [`text differs after ${wrong.join(", ")}`] : []),
  ];
  const greedy_equal = exact ? wrong.length === 0 : null;
  return { nmse: distance.nmse, limit, greedy_equal, pass: reasons.length === 0, reason: reasons.join("; ") };
}

/** Six letters of A, B and C: all 729 inputs, or every `stride`-th, must come out sorted. */
function sorting(stride: number): Case {
  const run = async (subject: Subject): Promise<Verdict> => {
    let [right, total] = [0, 0];
    for (let code = 0; code < 729; code += stride) {
      total++;
      const letters = Array.from({ length: 6 }, (_, place) => Math.trunc(code / 3 ** place) % 3);
      const { ids } = unwrap(await subject.generate(letters, 6));
      if (ids.join() === [...letters].sort().join()) right++;
    }
    const pass = right === total;
    return { nmse: null, limit: null, greedy_equal: pass, pass, reason: `${right} of ${total} sorted` };
  };
  return { name: "gpt-nano-sort-f32", url: "/reference/real/gpt-nano-sort-f32.gguf", run };
}

async function sentences(folder: string, minilm: string, stride: number): Promise<Case> {
  const text = await readFile(join(folder, "real/minilm_reference_20.json"), "utf8");
  const reference = JSON.parse(text) as { sentences: string[]; embeddings: number[][] };
  const run = async (subject: Subject): Promise<Verdict> => {
    const every = <T>(all: T[]): T[] => all.filter((_, at) => at % stride === 0);
    const [texts, embeddings] = [every(reference.sentences), every(reference.embeddings)];
    const vectors = unwrap(await subject.embed(texts));
    const worst = Math.min(...vectors.map((vector, at) => cosine(vector, embeddings[at]!)));
    const pass = worst >= COSINE_MIN && vectors.length === texts.length;
    return { nmse: null, limit: null, greedy_equal: null, pass, reason: `smallest cosine ${worst.toFixed(5)}` };
  };
  return { name: "minilm-q8_0", url: `/minilm/${minilm}`, run };
}
