// Made by wasm-bindgen; absent until the worker has been built.
declare module "*/pith_worker.js" {
  export default function init(options: { module_or_path: URL }): Promise<unknown>;
  export function start(): void;
}
