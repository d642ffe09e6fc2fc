// Lets others have their turn while a document is read.

/** A pause that is called often, and waits only where so many milliseconds have passed since the last one. Throws the signal's reason. */
export function slices(slice_ms: number, signal?: AbortSignal): () => Promise<void> {
  let since_ms = performance.now();
  return async () => {
    if (performance.now() - since_ms < slice_ms) return;
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    since_ms = performance.now();
  };
}
