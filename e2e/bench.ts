// Speed in the browser, ours and a peer's, on the same file in turn: prints what each run took as one line of JSON, of which
// `cargo xtask bench` makes figures.
//
//   cargo xtask bench --model FILE [--backend cpu|webgpu|webgl2] [--prefill N] [--decode N] [--embed COUNTxTOKENS]
//                     [--runs N] [--precision fast|exact] [--tune] [--peer wllama] [--threads N] [--micro-batch N]
//   cargo xtask bench --model FILE --first [--backend cpu|webgpu|webgl2] [--peer wllama]
//   cargo xtask bench --model FILE --load [--backend cpu|webgpu|webgl2] [--store opfs|indexedDb]

import { basename } from "node:path";
import { parseArgs } from "node:util";
import { measureEmbedding } from "./bench/embed.ts";
import { serveEngines } from "./bench/engine.ts";
import { measureFirst } from "./bench/first.ts";
import { measureGeneration } from "./bench/generate.ts";
import { measureLoad } from "./bench/load.ts";
import { type Adapter, launch } from "./harness/launch.ts";

const { values } = parseArgs({
  options: {
    model: { type: "string" },
    backend: { type: "string", default: "webgpu" },
    prefill: { type: "string", default: "128" },
    decode: { type: "string", default: "32" },
    embed: { type: "string" },
    runs: { type: "string", default: "3" },
    peer: { type: "string" },
    threads: { type: "string", default: "1" },
    "micro-batch": { type: "string" },
    precision: { type: "string", default: "fast" },
    tune: { type: "boolean", default: false },
    load: { type: "boolean", default: false },
    first: { type: "boolean", default: false },
    store: { type: "string", default: "opfs" },
    // `cargo xtask bench` hands it over; here it changes nothing.
    json: { type: "boolean", default: false },
  },
});

function count(flag: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new Error(`--${flag} ${text}: a number above 0 is wanted`);
}

async function main(): Promise<void> {
  const { model, backend, peer, embed } = values;
  if (!model) throw new Error("--model FILE is missing");
  if (backend !== "cpu" && backend !== "webgpu" && backend !== "webgl2")
    throw new Error(`--backend ${backend}: cpu, webgpu and webgl2 are possible`);
  if (peer !== undefined && peer !== "wllama") throw new Error(`--peer ${peer}: wllama is the only one`);
  const { precision } = values;
  if (precision !== "fast" && precision !== "exact")
    throw new Error(`--precision ${precision}: fast and exact are possible`);
  if (values.load) {
    const { store } = values;
    if (store !== "opfs" && store !== "indexedDb") throw new Error(`--store ${store}: opfs and indexedDb are possible`);
    console.log(JSON.stringify(await measureLoad({ model, backend, store })));
    return;
  }
  const common = {
    model,
    backend,
    precision,
    tune: values.tune,
    runs: count("runs", values.runs),
    peer: peer ?? null,
    threads: count("threads", values.threads),
    microBatch: values["micro-batch"] ? count("micro-batch", values["micro-batch"]) : 0,
  } as const;
  if (values.first) {
    for await (const result of measureFirst(common)) console.log(JSON.stringify(result));
    return;
  }
  const launched = await launch({ extension: null });
  const site = await serveEngines();
  const say = (order: object, result: { adapter: string }): void => {
    const adapter = backend === "cpu" ? result.adapter : adapterWords(launched.adapter);
    const browser = launched.context.browser()?.version();
    console.log(JSON.stringify({ model: basename(model), backend, ...result, adapter, browser, ...order }));
  };
  try {
    if (embed) {
      const [, texts, tokens] = /^(\d+)x(\d+)$/.exec(embed) ?? [];
      if (!texts || !tokens) throw new Error(`--embed ${embed}: such as 150x29 is wanted`);
      const order = { texts: count("embed", texts), tokens: count("embed", tokens) };
      say(order, await measureEmbedding(launched, site, { ...common, ...order }));
      return;
    }
    const order = { prefill: count("prefill", values.prefill), decode: count("decode", values.decode) };
    say(order, await measureGeneration(launched, site, { ...common, ...order }));
  } finally {
    await launched.close();
    await site.close();
  }
}

/** What WebGPU runs on. lavapipe goes by SwiftShader's name there; that it is lavapipe shows in what it can do. */
function adapterWords({ vendor, architecture, description, features }: Adapter): string {
  const words = [vendor, architecture, description].filter(Boolean).join(" ");
  if (!process.env.PITH_LAVAPIPE) return words;
  if (!features.includes("shader-f16")) throw new Error(`WebGPU runs on ${words}, not on lavapipe`);
  return "Mesa lavapipe";
}

await main().catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
