// Selects one of the two builds of the engine.

/** The smallest module with a relaxed SIMD instruction: a function that shuffles zeros. */
const RELAXED = [
  [0, 97, 115, 109, 1, 0, 0, 0],
  [1, 5, 1, 96, 0, 1, 123], // a type: nothing to v128
  [3, 2, 1, 0], // a function of it
  [10, 15, 1, 13, 0, 65, 0, 253, 15, 65, 0, 253, 15, 253, 128, 2, 11], // i8x16.relaxed_swizzle of two splats
].flat();

/**
 * URL of the engine's module: with relaxed SIMD if the browser supports it, which is a fifth faster on the CPU. The worker URL
 * `worker.js#simd128` forces the other one.
 */
export function moduleUrl(): URL {
  const relaxed = location.hash !== "#simd128" && WebAssembly.validate(new Uint8Array(RELAXED));
  return relaxed
    ? new URL("./wasm/relaxed-simd.wasm", import.meta.url)
    : new URL("./wasm/simd128.wasm", import.meta.url);
}
