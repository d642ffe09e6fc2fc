import type { BackendChoice, Pith } from "@pith/web";
import { MODEL_FILE } from "./model-names.js";

const NAME = "speed";
/** Weights of the packaged model's six layers, with which each token is multiplied: in each 12 times the square of its width. */
const LAYER_WEIGHTS = 6 * 12 * 384 ** 2;
/** As long as paragraphs are. */
const TEXT = "The ferry leaves at noon, when the tide is high, and the last one comes back before it is dark. ".repeat(
  5,
);
const TEXTS = 8;
/** Other programs disturb a measurement: the fastest counts. */
const TIMES = 3;

/** How fast the packaged model reads on this machine, in weights per second: weights times tokens, by the time that they take. */
export async function measureSpeed(pith: Pith, backend: BackendChoice): Promise<number> {
  await pith.load(NAME, { packaged: chrome.runtime.getURL(MODEL_FILE) }, { backend });
  try {
    const tokens = (await pith.tokenize(NAME, TEXT)).length * TEXTS;
    const texts = Array.from({ length: TEXTS }, (_, at) => `${at} ${TEXT}`);
    let fastest_ms = Number.POSITIVE_INFINITY;
    for (let time = 0; time < TIMES; time++) {
      const begun_ms = performance.now();
      await pith.embed(NAME, texts);
      fastest_ms = Math.min(fastest_ms, performance.now() - begun_ms);
    }
    return (LAYER_WEIGHTS * tokens * 1000) / fastest_ms;
  } finally {
    await pith.unload(NAME).catch(() => {});
  }
}
