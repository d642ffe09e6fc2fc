// Which of the two builds of the engine a browser can run.

/** The smallest module with an instruction of relaxed SIMD: a function that shuffles zeros. */
const RELAXED = [
  [0, 97, 115, 109, 1, 0, 0, 0],
  [1, 5, 1, 96, 0, 1, 123], // a type: nothing to v128
  [3, 2, 1, 0], // a function of it
  [10, 15, 1, 13, 0, 65, 0, 253, 15, 65, 0, 253, 15, 253, 128, 2, 11], // i8x16.relaxed_swizzle of two splats
].flat();

/**
 * The engine's module: with relaxed SIMD where the browser has it, which is a fifth faster on the CPU. A worker made with
 * `worker.js#simd128` takes the other one.
 */
export function moduleUrl(): URL {
  const relaxed = location.hash !== "#simd128" && WebAssembly.validate(new Uint8Array(RELAXED));
  return relaxed
    ? new URL("./wasm/relaxed-simd.wasm", import.meta.url)
    : new URL("./wasm/simd128.wasm", import.meta.url);
}
