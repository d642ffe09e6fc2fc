// Runs in the browser's page: one of the two engines, behind the same calls. The page's address says which.
//
// A call gives plain numbers. Times come from the engine's own counters where it has them (the peer's are those of
// llama.cpp's server), so that neither is charged for the other's way of passing messages.

const file = () => document.querySelector("input").files[0];
const adapterName = async () => {
  const info = (await navigator.gpu?.requestAdapter())?.info;
  return [info?.vendor, info?.architecture, info?.description].filter(Boolean).join(" ");
};

async function openPith() {
  const { Pith } = await import("/pith/index.js");
  const pith = await Pith.open();
  return {
    async load({ backend, contextTokens, precision, tune = false, threads }) {
      await pith.configure({ threads });
      if (tune) {
        // What is found is used from the next load on.
        await pith.load("bench", file(), { backend, contextTokens, precision });
        await pith.tune("bench");
        await pith.unload("bench");
      }
      const start_ms = performance.now();
      const info = await pith.load("bench", file(), { backend, contextTokens, precision });
      const load_ms = performance.now() - start_ms;
      return {
        load_ms,
        vocab: info.vocab,
        encoder: info.encoder,
        backend: info.backend.kind,
        adapter: info.backend.device,
      };
    },
    async generate({ prompt, tokens }) {
      const start_ms = performance.now();
      // Random weights repeat themselves, so that guessing from what was said before would always be right.
      const generation = pith.generate("bench", prompt, { maxTokens: tokens, promptLookup: false });
      let ttft_ms = null;
      for await (const _ of generation) {
        if (ttft_ms !== null) continue;
        ttft_ms = performance.now() - start_ms;
        void globalThis.mark("decode");
      }
      const { ids: made, finishReason, stats } = await generation.result;
      return {
        ttft_ms,
        prompt_tokens: stats.promptTokens,
        made: made.length,
        finishReason,
        prefill_ms: stats.prefillMs,
        decode_ms: stats.decodeMs,
        stats,
      };
    },
    async embed({ texts }) {
      const start_ms = performance.now();
      const vectors = await pith.embed("bench", texts);
      return { time_ms: performance.now() - start_ms, vectors: vectors.map((vector) => [...vector]) };
    },
    // Ids among the first, where vocabularies keep their single bytes, that are no text by themselves.
    async pieces() {
      const ids = Array.from({ length: 1024 }, (_, id) => id);
      const texts = await Promise.all(ids.map((id) => pith.detokenize("bench", [id]).catch(() => "")));
      return ids.filter((id) => texts[id].includes("\ufffd"));
    },
    countTokens: async ({ text }) => (await pith.tokenize("bench", text, { addSpecial: true })).length,
  };
}

async function openWllama() {
  const { Wllama, LoggerWithoutDebug } = await import("/wllama/index.js");
  const quiet = { ...LoggerWithoutDebug, debug() {}, log() {}, warn() {} };
  const wllama = new Wllama({ default: "/wllama/wasm/wllama.wasm" }, { logger: quiet, suppressNativeLog: true });
  return {
    async load({ backend, contextTokens, threads, microBatch, encoder }) {
      const start_ms = performance.now();
      await wllama.loadModel([file()], {
        n_ctx: contextTokens,
        n_parallel: 1,
        n_threads: threads,
        ...(backend === "cpu" && { n_gpu_layers: 0 }),
        ...(microBatch && { n_batch: microBatch, n_ubatch: microBatch }),
        ...(encoder && { embeddings: true, pooling_type: "mean" }),
      });
      const load_ms = performance.now() - start_ms;
      return {
        load_ms,
        threads: wllama.isMultithread() ? wllama.getNumThreads() : 1,
        adapter: backend === "cpu" ? "WebAssembly SIMD" : await adapterName(),
      };
    },
    async generate({ prompt, tokens, banned }) {
      const start_ms = performance.now();
      let ttft_ms = null;
      let timings = null;
      await wllama.createCompletion({
        prompt,
        max_tokens: tokens,
        temperature: 0,
        ignore_eos: true,
        // It fails on text that is no UTF-8, as random weights write it.
        logit_bias: banned.map((id) => [id, false]),
        cache_prompt: false,
        stream: true,
        onData(chunk) {
          timings = chunk.timings ?? timings;
          if (ttft_ms !== null) return;
          ttft_ms = performance.now() - start_ms;
          void globalThis.mark("decode");
        },
      });
      const { prompt_n, prompt_ms, predicted_n, predicted_ms } = timings;
      return {
        ttft_ms,
        prompt_tokens: prompt_n,
        made: predicted_n,
        finishReason: "length",
        prefill_ms: prompt_ms,
        decode_ms: predicted_ms,
      };
    },
    async embed({ texts }) {
      const start_ms = performance.now();
      const vectors = [];
      for (const input of texts) vectors.push((await wllama.createEmbedding({ input })).data[0].embedding);
      return { time_ms: performance.now() - start_ms, vectors };
    },
  };
}

let longestTask_ms = 0;
new PerformanceObserver((list) => {
  longestTask_ms = Math.max(longestTask_ms, ...list.getEntries().map((task) => task.duration));
}).observe({ type: "longtask", buffered: true });

const open = { pith: openPith, wllama: openWllama };
globalThis.engine = {
  ...(await open[new URLSearchParams(location.search).get("engine")]()),
  longestTaskMs: () => longestTask_ms,
};
