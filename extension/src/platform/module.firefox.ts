/** The engine's module: of the Firefox versions that the manifest admits, not all have relaxed SIMD. */
export const moduleUrl = (): URL => new URL("../../../web/dist/wasm/simd128.wasm", import.meta.url);
