// Speed of generation: a prompt of so many tokens, so many tokens after it; ours and the peer's runs in turn.

import type { Launched } from "../harness/launch.ts";
import type { Site } from "../harness/server.ts";
import {
  type CpuTimes,
  Engine,
  type EngineName,
  type Generated,
  type Loaded,
  type LoadOrder,
  type Precision,
} from "./engine.ts";
import { gpuKib } from "../harness/processes.ts";
import { promptOf } from "./prompt.ts";

export interface GenerateOrder {
  model: string;
  backend: "cpu" | "webgpu" | "webgl2";
  precision: Precision;
  tune: boolean;
  prefill: number;
  decode: number;
  runs: number;
  peer: "wllama" | null;
  threads: number;
  microBatch: number;
}

/** What a run took. The first token belongs to the prompt: it comes out of the prompt's last step. */
interface Times extends CpuTimes {
  prefill_tokens: number;
  prefill_ms: number;
  decode_tokens: number;
  decode_ms: number;
  ttft_ms: number | null;
}

const times = (run: Generated & CpuTimes): Times => ({
  prefill_tokens: run.prompt_tokens,
  prefill_ms: run.prefill_ms,
  decode_tokens: run.made - 1,
  decode_ms: run.decode_ms,
  ttft_ms: run.ttft_ms,
  prefill_cpu_ms: run.prefill_cpu_ms,
  decode_cpu_ms: run.decode_cpu_ms,
});

/** What was measured of an engine. */
interface Side {
  load_ms: number;
  adapter: string;
  peak_mib: number | null;
  runs: Times[];
}

export interface Result extends Side {
  dispatches_per_token: number;
  submits_per_token: number;
  objects_created: number;
  readback_bytes: number;
  /** The peer's runs, or why there are none. */
  peer?: (Side & { threads: number }) | { error: string };
}

/** Tries of prompts that the model answers by ending its text. */
const PROMPTS_MAX = 5;

export async function measureGeneration(launched: Launched, site: Site, order: GenerateOrder): Promise<Result> {
  const gpuIdle_kib = gpuKib();
  const open = (name: EngineName) => Engine.open(name, launched.context, site, order.model, gpuIdle_kib);
  const load: LoadOrder = {
    backend: order.backend,
    precision: order.precision,
    tune: order.tune,
    contextTokens: Math.ceil((order.prefill + order.decode + 8) / 256) * 256,
    threads: order.threads,
    microBatch: order.microBatch,
    encoder: false,
  };
  const ours = await open("pith");
  const loaded = await ours.load(load);
  // One run of each goes before: what is compiled on first use, and memory that is touched first, are not timed.
  let last = await run(ours, order, 0);
  const peak_mib = ours.peakMib();
  const banned = order.peer ? await ours.pieces() : [];
  const theirs = order.peer ? await Peer.open(() => open(order.peer!), load, order, last.prompt, banned) : null;
  const runs: Times[] = [];
  for (let at = 0; at < order.runs; at += 1) {
    last = await run(ours, order, last.seed + 1);
    runs.push(times(last));
    await theirs?.run(last.prompt);
  }
  const { stats = {} } = last;
  const result: Result = {
    load_ms: loaded.load_ms,
    adapter: loaded.adapter,
    peak_mib,
    dispatches_per_token: stats.dispatchesPerToken ?? 0,
    submits_per_token: stats.submitsPerToken ?? 0,
    objects_created: stats.objectsCreated ?? 0,
    readback_bytes: stats.readbackBytesPerToken ?? 0,
    runs,
  };
  return theirs ? { ...result, peer: theirs.side() } : result;
}

/** A run of ours with the first prompt from `seed` on whose text is not ended early. */
async function run(
  engine: Engine,
  order: GenerateOrder,
  first: number,
): Promise<Generated & CpuTimes & { seed: number; prompt: string }> {
  for (let seed = first; seed < first + PROMPTS_MAX; seed += 1) {
    const prompt = await promptOf(order.prefill, seed, (text) => engine.countTokens(text));
    const generated = await engine.generate(prompt, order.decode);
    if (generated.stats?.reusedTokens) throw new Error("a part of the prompt was not read but found in the cache");
    if (generated.made === order.decode) return { ...generated, seed, prompt };
  }
  throw new Error(`the model ends its text before ${order.decode} tokens, whatever the prompt`);
}

/** The peer, as long as it works: what it fails with is a result too. */
class Peer {
  readonly #order: GenerateOrder;
  readonly #banned: number[];
  readonly #runs: Times[] = [];
  #engine: Engine | null = null;
  #loaded: Loaded | null = null;
  #peak_mib: number | null = null;
  #error = "";

  private constructor(order: GenerateOrder, banned: number[]) {
    this.#order = order;
    this.#banned = banned;
  }

  static async open(
    open: () => Promise<Engine>,
    load: LoadOrder,
    order: GenerateOrder,
    prompt: string,
    banned: number[],
  ): Promise<Peer> {
    const peer = new Peer(order, banned);
    await peer.#guarded(async () => {
      const engine = await open();
      peer.#loaded = await engine.load(load);
      await engine.generate(prompt, order.decode, banned);
      peer.#peak_mib = engine.peakMib();
      peer.#engine = engine;
    });
    return peer;
  }

  async run(prompt: string): Promise<void> {
    const engine = this.#engine;
    if (!engine || this.#error) return;
    await this.#guarded(async () => {
      const { prefill, decode } = this.#order;
      const run = await engine.generate(prompt, decode, this.#banned);
      if (run.prompt_tokens !== prefill || run.made !== decode)
        throw new Error(`it read ${run.prompt_tokens} and made ${run.made} tokens`);
      this.#runs.push(times(run));
    });
  }

  side(): NonNullable<Result["peer"]> {
    if (this.#error || !this.#loaded) return { error: this.#error };
    const { load_ms, adapter, threads = 1 } = this.#loaded;
    return { load_ms, adapter, threads, peak_mib: this.#peak_mib, runs: this.#runs };
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#error = error instanceof Error ? error.message : String(error);
    }
  }
}
