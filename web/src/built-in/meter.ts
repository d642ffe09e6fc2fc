import type { Progress } from "../options.js";

/** Progress is told in steps of this share: so much of it a page may know about a file in the store. */
const STEPS = 65_536;

/** A load's progress as `downloadprogress` events: from 0 to 1, each greater than the last. */
export class Meter {
  readonly #watchers = new Map<EventTarget, number>();
  #share = 0;

  take({ stage, done, total }: Progress): void {
    if (total <= 0 || (stage !== "download" && stage !== "load")) return;
    // The end is told when the model is ready.
    this.#share = Math.max(this.#share, Math.min(done / total, 1 - 1 / STEPS));
    for (const watcher of this.#watchers.keys()) this.#tell(watcher, Math.floor(this.#share * STEPS) / STEPS);
  }

  /** Tells `monitor` from now on. */
  watch(monitor: EventTarget): () => void {
    this.#watchers.set(monitor, -1);
    this.#tell(monitor, 0);
    return () => this.#watchers.delete(monitor);
  }

  end(monitor: EventTarget): void {
    this.#tell(monitor, 1);
  }

  #tell(monitor: EventTarget, loaded: number): void {
    const last = this.#watchers.get(monitor);
    if (last === undefined || loaded <= last) return;
    this.#watchers.set(monitor, loaded);
    monitor.dispatchEvent(new ProgressEvent("downloadprogress", { lengthComputable: true, loaded, total: 1 }));
  }
}
