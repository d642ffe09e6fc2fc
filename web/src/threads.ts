// The threads of the CPU backend: workers that run the same script under another name.
import init, { serve } from "./wasm/pith_worker.js";

const NAME = "pith thread";
const READY = "ready";
/** One that takes longer is not waited for. */
const READY_WITHIN_MS = 10_000;
/** In the shared memory: the number of the last command that was done, and its status. */
const DONE = 1;
const STATUS = 2;
const DEAD = 3;

/** A thread, and the memory that it shares with this worker. */
interface Thread {
  buffer: SharedArrayBuffer;
  /** Makes it wait for commands again. */
  wake(): void;
  end(): void;
}
interface First {
  module: WebAssembly.Module;
  buffer: SharedArrayBuffer;
}

/** Whether this worker is a thread of another one. */
export const isThread = self.name === NAME;

/** Executes the other worker's commands until it is ended. */
export function runThread(): void {
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
export async function spawn(module: WebAssembly.Module, count: number, bytes: number): Promise<Thread[]> {
  if (!globalThis.crossOriginIsolated) return [];
  const threads = await Promise.all(Array.from({ length: count }, () => start(module, bytes)));
  return threads.filter((thread) => thread !== null);
}

function start(module: WebAssembly.Module, bytes: number): Promise<Thread | null> {
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
