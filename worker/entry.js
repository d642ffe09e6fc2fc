// The dedicated worker's module. It lies beside wasm-bindgen's output (pith_worker.js, pith_worker_bg.wasm).
// Messages that arrive before the wasm is ready are kept and delivered in order, so a page may post at once.
import init, { start } from "./pith_worker.js";

const early = [];
const keep = (event) => early.push(event);
addEventListener("message", keep);
try {
  await init();
  removeEventListener("message", keep);
  start();
  for (const { data } of early) dispatchEvent(new MessageEvent("message", { data }));
} catch (error) {
  const message = "Pith's worker could not start.";
  const help = "Update the browser: it must run WebAssembly with SIMD. Under a content security policy, allow 'wasm-unsafe-eval'.";
  postMessage({ version: 1, id: 0, event: { type: "fatal", error: { code: "internal", message, help, detail: String(error) } } });
}
