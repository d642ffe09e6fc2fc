// What was measured, for people.

import type { EmbedResult } from "./embed.ts";
import type { Spread } from "./figures.ts";
import type { Result } from "./generate.ts";

const number = (value: number): string => (value >= 1000 ? value.toFixed(0) : value.toPrecision(3));
const range = ({ median, min, max }: Spread): string => `${number(median)} (${number(min)} to ${number(max)})`;
const times = (value: number | null | undefined): string => (value == null ? "-" : `${value.toFixed(2)}x`);
const maybe = (value: Spread | null): string => (value ? range(value) : "-");
const mib = (value: number | null): string => (value === null ? "-" : `${value.toFixed(0)}`);

type Row = [string, string, string, string];

function print(rows: Row[]): void {
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]!.length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join("  ")
        .trimEnd(),
    );
}

export function printGeneration(result: Result): void {
  const { peer, ratio } = result;
  const theirs = peer && !("error" in peer) ? peer : null;
  const other = (show: (side: NonNullable<typeof theirs>) => string): string => (theirs ? show(theirs) : "");
  print([
    [
      "",
      "pith",
      theirs ? `wllama, ${theirs.threads} thread${theirs.threads > 1 ? "s" : ""}` : "",
      theirs ? "ratio" : "",
    ],
    [
      "prefill, tokens/s",
      range(result.prefill_tps),
      other((s) => range(s.prefill_tps)),
      ratio ? times(ratio.prefill) : "",
    ],
    ["decode, tokens/s", range(result.decode_tps), other((s) => range(s.decode_tps)), ratio ? times(ratio.decode) : ""],
    [
      "prefill, CPU ms",
      maybe(result.prefill_cpu_ms),
      other((s) => maybe(s.prefill_cpu_ms)),
      ratio ? times(ratio.prefill_cpu) : "",
    ],
    [
      "decode, CPU ms",
      maybe(result.decode_cpu_ms),
      other((s) => maybe(s.decode_cpu_ms)),
      ratio ? times(ratio.decode_cpu) : "",
    ],
    ["first token, ms", maybe(result.ttft_ms), other((s) => maybe(s.ttft_ms)), ""],
    ["load, ms", number(result.load_ms), other((s) => number(s.load_ms)), ""],
    ["peak memory, MiB", mib(result.peak_mib), other((s) => mib(s.peak_mib)), ""],
  ]);
  const { dispatches_per_token, submits_per_token, objects_created, readback_bytes } = result;
  if (dispatches_per_token > 0)
    console.log(
      `\nper token: ${dispatches_per_token} dispatches, ${submits_per_token} submits, ${readback_bytes} bytes read back; ` +
        `objects created in a run: ${objects_created}`,
    );
  if (peer && "error" in peer) console.log(`\nwllama failed: ${peer.error}`);
}

export function printEmbedding(result: EmbedResult): void {
  const { peer, ratio } = result;
  const theirs = peer && !("error" in peer) ? peer : null;
  const other = (show: (side: NonNullable<typeof theirs>) => string): string => (theirs ? show(theirs) : "");
  print([
    [
      "",
      "pith",
      theirs ? `wllama, ${theirs.threads} thread${theirs.threads > 1 ? "s" : ""}` : "",
      theirs ? "ratio" : "",
    ],
    ["all texts, ms", range(result.time_ms), other((s) => range(s.time_ms)), ratio ? times(ratio.time) : ""],
    ["CPU ms", maybe(result.cpu_ms), other((s) => maybe(s.cpu_ms)), ratio ? times(ratio.cpu) : ""],
    ["load, ms", number(result.load_ms), other((s) => number(s.load_ms)), ""],
    ["peak memory, MiB", mib(result.peak_mib), other((s) => mib(s.peak_mib)), ""],
  ]);
  if (theirs)
    console.log(`\nthe least alike of both engines' vectors of a text: cosine ${theirs.cosine_min.toFixed(5)}`);
  if (peer && "error" in peer) console.log(`\nwllama failed: ${peer.error}`);
}
