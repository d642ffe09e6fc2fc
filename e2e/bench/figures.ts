// Many runs to one figure each, and what is compared.

import type { CpuTimes, Generated } from "./engine.ts";

/** The middle of several runs, with the least and the most. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spread(values: number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
  const median = (at(0.5) + (sorted[Math.floor(sorted.length / 2)] ?? NaN)) / 2;
  return { median, min: at(0), max: at(1) };
}

/** Speeds of an engine over its runs. */
export interface Speeds {
  prefill_tps: Spread;
  decode_tps: Spread;
  ttft_ms: Spread | null;
  /** Processor time of the whole browser; null where the system does not say. What else the machine does spares it. */
  prefill_cpu_ms: Spread | null;
  decode_cpu_ms: Spread | null;
}

export function speeds(runs: (Generated & CpuTimes)[]): Speeds {
  const maybe = (values: (number | null)[]) => {
    const known = values.filter((value) => value !== null);
    return known.length === values.length ? spread(known) : null;
  };
  return {
    prefill_tps: spread(runs.map(({ prompt_tokens, prefill_ms }) => (1000 * prompt_tokens) / prefill_ms)),
    // The first token belongs to the prompt: it comes out of the prompt's last step.
    decode_tps: spread(runs.map(({ made, decode_ms }) => (1000 * (made - 1)) / decode_ms)),
    ttft_ms: maybe(runs.map(({ ttft_ms }) => ttft_ms)),
    prefill_cpu_ms: maybe(runs.map(({ prefill_cpu_ms }) => prefill_cpu_ms)),
    decode_cpu_ms: maybe(runs.map(({ decode_cpu_ms }) => decode_cpu_ms)),
  };
}

/** How many times faster ours is. By processor time it is the peer's time over ours. */
export interface Ratio {
  prefill: number;
  decode: number;
  prefill_cpu: number | null;
  decode_cpu: number | null;
}

export function ratio(ours: Speeds, theirs: Speeds): Ratio {
  const cpu = (a: Spread | null, b: Spread | null) => (a && b && a.median > 0 ? b.median / a.median : null);
  return {
    prefill: ours.prefill_tps.median / theirs.prefill_tps.median,
    decode: ours.decode_tps.median / theirs.decode_tps.median,
    prefill_cpu: cpu(ours.prefill_cpu_ms, theirs.prefill_cpu_ms),
    decode_cpu: cpu(ours.decode_cpu_ms, theirs.decode_cpu_ms),
  };
}
