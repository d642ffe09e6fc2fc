/** The engine's module: every Chrome that the manifest admits has relaxed SIMD. */
export const moduleUrl = (): URL => new URL("../../../web/dist/wasm/relaxed-simd.wasm", import.meta.url);
