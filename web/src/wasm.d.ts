// Made by wasm-bindgen; absent until the worker has been built.
declare module "*/pith_worker.js" {
  export default function init(options: { module_or_path: URL | WebAssembly.Module }): Promise<unknown>;
  export function serve(buffer: SharedArrayBuffer): void;
  export function start(
    openGrammar: () => Promise<unknown>,
    spawn: (module: WebAssembly.Module, count: number, bytes: number) => Promise<unknown[]>,
  ): void;
}
declare module "*/pith_grammar.js" {
  export default function init(options: { module_or_path: URL }): Promise<unknown>;
  export function __wbg_reset_state(): void;
  export function memoryBytes(): number;
  export class Vocabulary {
    constructor(pieces: Uint8Array, lens: Uint32Array, ends: Uint32Array, tokenize: (text: string) => Uint32Array);
  }
}
