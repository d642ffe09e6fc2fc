import { type ModelInfo, Pith, PithError } from "@pith/web";

/** The one worker of this page, and what is loaded in it. */
export class Session {
  #pith: Promise<Pith> | null = null;
  readonly #listeners: ((model: ModelInfo | null) => void)[] = [];

  /** The worker; a new one where the last one has died. */
  async #open(): Promise<Pith> {
    const open = await this.#pith?.catch(() => null);
    if (open?.alive) return open;
    this.#pith = Pith.open();
    return this.#pith;
  }

  /** Runs something on the worker, and notes when it is gone. */
  async use<T>(work: (pith: Pith) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#open());
    } catch (error) {
      if (error instanceof PithError && error.code === "worker_died") {
        this.tell(null);
      }
      throw error;
    }
  }

  /** Calls with every model that becomes resident, and with null when none is. */
  onModel(listener: (model: ModelInfo | null) => void): void {
    this.#listeners.push(listener);
  }

  tell(model: ModelInfo | null): void {
    for (const listener of this.#listeners) listener(model);
  }
}
