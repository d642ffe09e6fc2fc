// The sections fixtures, formats and mixes of the reference set's manifest.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Answer, Backend, Subject } from "./browser.ts";
import type { Report, Result } from "./report.ts";
import { argmax, Distance, floatsAt, margin, type Rows } from "./score.ts";
import type { TokenizerSet } from "./text.ts";

interface Place {
  offset: number;
  shape: number[];
}

/** Everything but the ids may be absent. */
interface Prompt {
  name?: string;
  ids: number[];
  prefill?: Place;
  decode?: Place;
  greedy?: number[];
  embd?: Place;
  token_embd?: Place;
}

export interface Fixture {
  name: string;
  file: string;
  golden?: { ref?: { file?: string } };
  prompts: Prompt[];
  cpu_vs_ref?: { stock_f32?: { nmse: number } };
}

/** Random blocks of a weight format, and ggml's decoding of them. */
export interface BlockRecord {
  format: string;
  /** ggml's number of it. */
  ggml_type: number;
  values: number;
  /** Files: the blocks, and their values in F32. */
  raw: string;
  f32: string;
}

/** The parts of manifest.json that are read here; a folder need not have all of them. */
export interface Manifest {
  fixtures?: Fixture[];
  formats?: Fixture[];
  mixes?: Fixture[];
  blocks?: BlockRecord[];
  tokenizers?: TokenizerSet[];
}

/** The goldens were made with this context. */
const CONTEXT_TOKENS = 256;

/** Weights are decoded in the kernels, activations and sums are f32: README, "Suggested tolerances". */
const LIMIT = 1e-8;
/** The same where `tanh` and `exp` are approximate, as on a GPU in models with GELU. */
const LIMIT_APPROXIMATE = 1e-6;
/** llama.cpp's own f32 run is this far from the reference only where a table of f16 values stands for GELU. */
const TABLE_OF_GELU = 1e-9;

function limitFor({ cpu_vs_ref }: Fixture, backend: Backend): number {
  // A record that does not tell gets the wider limit.
  const gelu = (cpu_vs_ref?.stock_f32?.nmse ?? 1) > TABLE_OF_GELU;
  return gelu && backend !== "cpu" ? LIMIT_APPROXIMATE : LIMIT;
}

/** The values that a record points to, and how many rows they are; none where there is no record. */
function golden(file: Buffer, place: Place | undefined): { rows: number; values: Float32Array } {
  if (!place) return { rows: 0, values: new Float32Array() };
  const length = place.shape.reduce((product, axis) => product * axis, 1);
  if (place.offset + 4 * length > file.length) throw new Refusal("a golden record points outside its file");
  return { rows: place.shape.length > 1 ? place.shape[0]! : 1, values: floatsAt(file, place.offset, length) };
}

const take = ({ values, cols }: Rows, from: number, to: number): Float32Array =>
  values.subarray(from * cols, to * cols);

/** A failure that the worker reported, as words for the report. */
export class Refusal extends Error {}

export function unwrap<T>({ value, error }: Answer<T>): T {
  // The engine's details begin with its own code, which often is the same.
  if (error) throw new Refusal(error.detail.startsWith(error.code) ? error.detail : `${error.code}: ${error.detail}`);
  return value;
}

/** What `run` finds, or why it could not: nothing that a folder holds ends the whole run. */
export async function guarded<T>(run: () => Promise<T>): Promise<T | { pass: false; reason: string }> {
  try {
    return await run();
  } catch (error) {
    return { pass: false, reason: error instanceof Error ? error.message : String(error) };
  }
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
  const base = { name: fixture.name, section, backend, limit, nmse: null, greedy_equal: null };
  const verdict = await guarded(async () => {
    const name = fixture.golden?.ref?.file;
    if (name === undefined) throw new Refusal("no golden file is named");
    if (!fixture.prompts?.length) throw new Refusal("there are no prompts");
    const file = await readFile(join(folder, name));
    const length = Math.max(...fixture.prompts.map(({ ids, greedy = [] }) => ids.length + greedy.length));
    const model = unwrap(await subject.load(`/reference/${fixture.file}`, Math.max(length, CONTEXT_TOKENS)));
    const score = model.encoder ? scoreEncoder : scoreCausal;
    return score(subject, fixture, file, limit);
  });
  report.add({ ...base, ...verdict });
  await subject.unload();
}

type Verdict = Pick<Result, "nmse" | "greedy_equal" | "pass" | "reason">;

async function scoreEncoder(subject: Subject, fixture: Fixture, file: Buffer, limit: number): Promise<Verdict> {
  const distance = new Distance();
  for (const { ids, embd, token_embd } of fixture.prompts) {
    const rows = unwrap(await subject.evaluate(ids, 0, []));
    const [pooled, tokens] = [golden(file, embd), golden(file, token_embd)];
    if (pooled.rows + tokens.rows === 0) throw new Refusal("a prompt without golden vectors");
    if (pooled.rows > 0) distance.add(take(rows, 0, 1), pooled.values);
    if (tokens.rows > 0) distance.add(take(rows, 1, rows.rows), tokens.values);
  }
  const pass = distance.nmse <= limit;
  return { nmse: distance.nmse, greedy_equal: null, pass, reason: pass ? "" : "the vectors are off" };
}

async function scoreCausal(subject: Subject, fixture: Fixture, file: Buffer, limit: number): Promise<Verdict> {
  const [prefills, decodes] = [new Distance(), new Distance()];
  const steps: { found: number; wanted: number; certainty: number; where: string }[] = [];
  for (const { name = "?", ids, prefill, decode, greedy = [] } of fixture.prompts) {
    const wanted = [golden(file, prefill), golden(file, decode)] as const;
    const first = ids.length - Math.max(wanted[0].rows, 1);
    if (first < 0) throw new Refusal("more prefill rows than tokens");
    const rows = unwrap(await subject.evaluate(ids, first, greedy.slice(0, wanted[1].rows)));
    const last = ids.length - first - 1;
    if (wanted[0].rows > 0) prefills.add(take(rows, 0, last + 1), wanted[0].values);
    decodes.add(take(rows, last + 1, rows.rows), wanted[1].values);
    const goldenRows = { ...rows, values: Float32Array.of(...wanted[0].values, ...wanted[1].values) };
    for (const [step, id] of greedy.slice(0, rows.rows - last).entries()) {
      const found = argmax(take(rows, last + step, last + step + 1));
      const certainty = margin(take(goldenRows, last + step, last + step + 1));
      steps.push({ found, wanted: id, certainty, where: `${name} step ${step}` });
    }
  }
  const blurred = 4 * Math.max(prefills.maxAbs, decodes.maxAbs);
  const different = steps.filter(({ found, wanted, certainty }) => found !== wanted && certainty > blurred);
  const reasons = [
    ...(prefills.nmse <= limit ? [] : ["prefill rows are off"]),
    ...(decodes.within(limit) ? [] : [`decode rows are off: nmse ${decodes.nmse.toExponential(1)}`]),
    ...different.slice(0, 1).map(({ where, found, wanted }) => `${where}: token ${found}, not ${wanted}`),
  ];
  return {
    nmse: prefills.nmse,
    greedy_equal: different.length === 0,
    pass: reasons.length === 0,
    reason: reasons.join("; "),
  };
}
