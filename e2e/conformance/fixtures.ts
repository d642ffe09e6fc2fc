// The sections fixtures, formats and mixes of the reference set's manifest.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Answer, Backend, Subject } from "./browser.ts";
import type { Report, Result } from "./report.ts";
import { argmax, Distance, floatsAt, type Rows } from "./score.ts";

interface Place {
  offset: number;
  shape: number[];
  first_position?: number;
}

interface Prompt {
  name: string;
  ids: number[];
  prefill?: Place;
  decode?: Place;
  greedy?: number[];
  margin?: number[];
  embd?: Place;
  token_embd?: Place;
}

export interface Fixture {
  name: string;
  file: string;
  arch: string;
  kind: "causal" | "embedding";
  golden: { ref: { file: string } };
  prompts: Prompt[];
}

export interface TokenizerSet {
  preset: string;
  model: string;
  cases: { text: string; ids: number[] }[];
}

/** The parts of manifest.json that are read here. */
export interface Manifest {
  fixtures: Fixture[];
  formats: Fixture[];
  mixes: Fixture[];
  tokenizers: TokenizerSet[];
}

/** The goldens were made with this context. */
const CONTEXT_TOKENS = 256;

/** Weights are decoded in the kernels, activations and sums are f32: README, "Suggested tolerances". */
const LIMIT = 1e-8;
/** The same for models with GELU on a GPU, whose `tanh` and `exp` are approximate. */
const LIMIT_APPROXIMATE = 1e-6;

function limitFor(fixture: Fixture, backend: Backend): number {
  const gelu = ["gpt2", "bert"].includes(fixture.arch);
  return gelu && backend !== "cpu" ? LIMIT_APPROXIMATE : LIMIT;
}

const golden = (file: Buffer, { offset, shape }: Place): Float32Array =>
  floatsAt(
    file,
    offset,
    shape.reduce((product, axis) => product * axis, 1),
  );

const take = ({ values, cols }: Rows, from: number, to: number): Float32Array =>
  values.subarray(from * cols, to * cols);

/** A failure that the worker reported, as words for the report. */
export class Refusal extends Error {}

export function unwrap<T>({ value, error }: Answer<T>): T {
  // The engine's details begin with its own code, which often is the same.
  if (error) throw new Refusal(error.detail.startsWith(error.code) ? error.detail : `${error.code}: ${error.detail}`);
  return value;
}

/** Runs one fixture. */
export async function runFixture(
  subject: Subject,
  backend: Backend,
  section: string,
  folder: string,
  fixture: Fixture,
  report: Report,
): Promise<void> {
  const limit = limitFor(fixture, backend);
  const base = { name: fixture.name, section, backend, limit };
  try {
    unwrap(await subject.load(`/reference/${fixture.file}`, CONTEXT_TOKENS));
    const file = await readFile(join(folder, fixture.golden.ref.file));
    const score = fixture.kind === "embedding" ? scoreEncoder : scoreCausal;
    report.add({ ...base, ...(await score(subject, fixture, file, limit)) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    report.add({ ...base, nmse: null, greedy_equal: null, pass: false, reason: error.message });
  } finally {
    await subject.unload();
  }
}

type Verdict = Pick<Result, "nmse" | "greedy_equal" | "pass" | "reason">;

async function scoreEncoder(subject: Subject, fixture: Fixture, file: Buffer, limit: number): Promise<Verdict> {
  const distance = new Distance();
  for (const { ids, embd, token_embd } of fixture.prompts) {
    const rows = unwrap(await subject.evaluate(ids, 0, []));
    distance.add(take(rows, 0, 1), golden(file, embd!));
    distance.add(take(rows, 1, rows.rows), golden(file, token_embd!));
  }
  return { nmse: distance.nmse, greedy_equal: null, pass: distance.nmse <= limit, reason: "" };
}

async function scoreCausal(subject: Subject, fixture: Fixture, file: Buffer, limit: number): Promise<Verdict> {
  const [prefills, decodes] = [new Distance(), new Distance()];
  const steps: { found: number; wanted: number; margin: number; where: string }[] = [];
  for (const { name, ids, prefill, decode, greedy, margin } of fixture.prompts) {
    const rows = unwrap(await subject.evaluate(ids, prefill!.first_position ?? 0, greedy!));
    const prefillRows = prefill!.shape[0]!;
    prefills.add(take(rows, 0, prefillRows), golden(file, prefill!));
    decodes.add(take(rows, prefillRows, rows.rows), golden(file, decode!));
    for (const [step, wanted] of greedy!.entries()) {
      const row = prefillRows - 1 + step;
      const found = argmax(take(rows, row, row + 1));
      steps.push({ found, wanted, margin: margin![step]!, where: `${name} step ${step}` });
    }
  }
  const blurred = 4 * Math.max(prefills.maxAbs, decodes.maxAbs);
  const different = steps.filter(({ found, wanted, margin }) => found !== wanted && margin > blurred);
  const reasons = [
    ...(prefills.nmse <= limit ? [] : ["prefill rows are off"]),
    ...(decodes.nmse <= limit ? [] : [`decode rows are off: nmse ${decodes.nmse.toExponential(1)}`]),
    ...different.slice(0, 1).map(({ where, found, wanted }) => `${where}: token ${found}, not ${wanted}`),
  ];
  const greedy_equal = steps.every(({ found, wanted }) => found === wanted);
  return { nmse: prefills.nmse, greedy_equal, pass: reasons.length === 0, reason: reasons.join("; ") };
}

/** Runs one tokenizer's texts. */
export async function runTokenizer(
  subject: Subject,
  backend: Backend,
  set: TokenizerSet,
  report: Report,
): Promise<void> {
  const base = { name: set.preset, section: "tokenizers", backend, nmse: null, limit: null, greedy_equal: null };
  try {
    unwrap(await subject.load(`/reference/${set.model}`, CONTEXT_TOKENS));
    const wrong: string[] = [];
    for (const { text, ids } of set.cases) {
      const found = unwrap(await subject.tokenize(text));
      if (found.join() !== ids.join()) wrong.push(JSON.stringify(text));
    }
    const reason = wrong.length > 0 ? `${wrong.length} of ${set.cases.length} texts differ, first ${wrong[0]}` : "";
    report.add({ ...base, pass: wrong.length === 0, reason });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    report.add({ ...base, pass: false, reason: error.message });
  } finally {
    await subject.unload();
  }
}
