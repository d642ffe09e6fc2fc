// Runs in the browser's page: what may be asked of the worker, through the client that ships.
import { Pith } from "/pith/index.js";

const asked = new URLSearchParams(location.hash.slice(1));
const backend = asked.get("backend");
const pith = await Pith.open({ workerUrl: `/pith/worker.js${asked.has("simd128") ? "#simd128" : ""}` });

/** Floats cross to the script as base64: a JSON array of them would be ten times as long, and not exact. */
function toBase64(floats) {
  const bytes = new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength);
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** A null is what a caller without `undefined` has for an option that is absent. */
const present = (options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));

/** Calls the client; a failure becomes a value, because only plain data crosses to the script. */
async function answer(call) {
  try {
    return { value: await call() };
  } catch (error) {
    return { error: { code: error.code ?? "thrown", detail: error.detail || error.message } };
  }
}

globalThis.conformance = {
  load: (path, options = {}) =>
    answer(() => pith.load("case", { packaged: new URL(path, location.href).href }, { backend, ...present(options) })),
  unload: () => answer(() => pith.unload("case")),
  tokenize: (text, options) => answer(() => pith.tokenize("case", text, options)),
  detokenize: (ids, options) => answer(() => pith.detokenize("case", ids, options)),
  // A time crosses to the page as the arguments of `Date`.
  applyTemplate: (template, messages, { variables, now }) =>
    answer(() => pith.applyTemplate(template, messages, { variables, ...(now && { now: new Date(...now) }) })),
  evaluate: (ids, options) =>
    answer(async () => {
      const { rows, cols, values } = await pith.evaluate("case", ids, options);
      return { rows, cols, values: toBase64(values) };
    }),
  generate: (ids, options) => answer(() => pith.generate("case", { type: "ids", ids }, options).result),
  embed: (texts) => answer(async () => (await pith.embed("case", texts)).map((vector) => [...vector])),
};
