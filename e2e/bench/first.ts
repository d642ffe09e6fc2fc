// The first start: from the load of a picked file to the first text, in a browser with a new profile, and once more in the same browser.

import { launch } from "../harness/launch.ts";
import { Engine, type EngineName, type LoadOrder, type Precision, serveEngines } from "./engine.ts";

export interface FirstOrder {
  model: string;
  backend: "cpu" | "webgpu" | "webgl2";
  precision: Precision;
  peer: "wllama" | null;
  threads: number;
  microBatch: number;
}

/** From the call of `load` to the first text. */
interface Start {
  load_ms: number;
  first_text_ms: number;
  /** Of the page's own thread; 0 where none took 50 ms. */
  longest_task_ms: number;
}

/** Each in a browser of its own. */
export interface FirstResult {
  engine: EngineName;
  adapter: string;
  cold: Start;
  warm: Start;
}

const PROMPT =
  "A harbour town lies where the river meets the sea. Its market opens at six in the morning, and fishermen sell what they caught at night.";
const TOKENS = 2;

export async function* measureFirst(order: FirstOrder): AsyncGenerator<FirstResult> {
  for (const engine of ["pith", ...(order.peer ? [order.peer] : [])] as const) {
    const site = await serveEngines();
    const launched = await launch({ extension: null });
    try {
      const start = async (): Promise<Start & { adapter: string }> => {
        const opened = await Engine.open(engine, launched.context, site, order.model, 0);
        const load: LoadOrder = { ...order, contextTokens: 256, encoder: false };
        const begun_ms = performance.now();
        const { adapter } = await opened.load(load);
        const load_ms = performance.now() - begun_ms;
        const { ttft_ms } = await opened.generate(PROMPT, TOKENS);
        const longest_task_ms = await opened.longestTaskMs();
        await opened.close();
        if (ttft_ms === null) throw new Error(`${engine} gave no text`);
        return { load_ms, first_text_ms: load_ms + ttft_ms, longest_task_ms, adapter };
      };
      const { adapter, ...cold } = await start();
      const { adapter: _, ...warm } = await start();
      yield { engine, adapter, cold, warm };
    } finally {
      await launched.close();
      await site.close();
    }
  }
}
