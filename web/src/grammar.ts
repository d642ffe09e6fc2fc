// Fetches the module for output formats when a request first needs it.
import init, { __wbg_reset_state as reset, memoryBytes, Vocabulary } from "./wasm/pith_grammar.js";

/** What the worker's wasm calls. */
interface Grammar {
  vocabulary(...given: ConstructorParameters<typeof Vocabulary>): Vocabulary;
  memoryBytes(): number;
  /** Starts the module anew. */
  reset(): void;
}

let opened: Promise<Grammar> | undefined;

/** The module. A failed fetch is tried again at the next call. */
export function openGrammar(): Promise<Grammar> {
  const url = new URL("./wasm/grammar.wasm", import.meta.url);
  opened ??= init({ module_or_path: url }).then(
    () => ({ vocabulary: (...given) => new Vocabulary(...given), memoryBytes, reset }),
    (error: unknown) => {
      opened = undefined;
      throw new Error(`${String(error)} (${url.href})`);
    },
  );
  return opened;
}
