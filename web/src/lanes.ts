// Workers beside this one that share the rows of matrices on the CPU: the same script under another name.
import init, { serve } from "./wasm/pith_worker.js";

const NAME = "pith lane";
const READY = "ready";
/** One that takes longer is not waited for. */
const READY_WITHIN_MS = 10_000;
/** In the shared memory: the number of the last order that was done, and how it went. */
const DONE = 1;
const STATUS = 2;
const DEAD = 3;

/** Memory that a worker shares with this one. */
interface Lane {
  buffer: SharedArrayBuffer;
  /** Has it look for orders again. */
  wake(): void;
  end(): void;
}
interface First {
  module: WebAssembly.Module;
  buffer: SharedArrayBuffer;
}

/** Whether this worker is one of them. */
export const isLane = self.name === NAME;

/** What one of them does: what the other worker orders, until it is ended. */
export function beLane(): void {
  const work = (buffer: SharedArrayBuffer): void => {
    try {
      serve(buffer);
    } catch (error) {
      // It trapped; the other one waits.
      const words = new Int32Array(buffer, 0, STATUS + 1);
      Atomics.store(words, STATUS, DEAD);
      Atomics.add(words, DONE, 1);
      Atomics.notify(words, DONE);
      throw error;
    }
  };
  const begin = async ({ module, buffer }: First): Promise<void> => {
    await init({ module_or_path: module });
    addEventListener("message", () => work(buffer));
    postMessage(READY);
  };
  addEventListener("message", ({ data }: MessageEvent<First>) => void begin(data), { once: true });
}

/** Starts workers with `bytes` of shared memory each. None where memory cannot be shared; those that do not start are left out. */
export async function hire(module: WebAssembly.Module, count: number, bytes: number): Promise<Lane[]> {
  if (!globalThis.crossOriginIsolated) return [];
  const lanes = await Promise.all(Array.from({ length: count }, () => start(module, bytes)));
  return lanes.filter((lane) => lane !== null);
}

function start(module: WebAssembly.Module, bytes: number): Promise<Lane | null> {
  return new Promise((resolve) => {
    try {
      const buffer = new SharedArrayBuffer(bytes);
      const worker = new Worker(location.href, { type: "module", name: NAME });
      const end = (): void => worker.terminate();
      const giveUp = (): void => {
        end();
        resolve(null);
      };
      const timer = setTimeout(giveUp, READY_WITHIN_MS);
      worker.onerror = (event) => {
        event.preventDefault();
        giveUp();
      };
      const wake = (): void => worker.postMessage(null);
      worker.onmessage = () => {
        clearTimeout(timer);
        wake();
        resolve({ buffer, wake, end });
      };
      worker.postMessage({ module, buffer } satisfies First);
    } catch {
      // No memory, or no workers in workers.
      resolve(null);
    }
  });
}
