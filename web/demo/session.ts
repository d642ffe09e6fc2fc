import { type MemoryReport, type ModelInfo, Pith, PithError, type Status } from "@pith/web";

/** What the page shows of the worker. */
export interface View extends Status {
  memory: MemoryReport;
}

/** The one worker of this page, what is loaded in it, and what it stores. */
export class Session {
  #pith: Promise<Pith> | null = null;
  #view: View | null = null;
  readonly #busy = new Map<string, number>();
  readonly #onModel: ((model: ModelInfo | null) => void)[] = [];
  readonly #onView: ((view: View) => void)[] = [];

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
      if (error instanceof PithError && error.code === "worker_died") this.#forget();
      throw error;
    }
  }

  /** Nothing is resident any more. */
  #forget(): void {
    this.tell(null);
    if (!this.#view) return;
    this.#view = { ...this.#view, models: [], memory: { ...this.#view.memory, models: [], idle: [] } };
    this.#draw();
  }

  /** Calls with every model that becomes resident, and with null when none that writes is. */
  onModel(listener: (model: ModelInfo | null) => void): void {
    this.#onModel.push(listener);
  }

  tell(model: ModelInfo | null): void {
    for (const listener of this.#onModel) listener(model);
  }

  /** Calls with what is stored and resident, whenever that may have changed. */
  onView(listener: (view: View) => void): void {
    this.#onView.push(listener);
  }

  /** Looks again at what is stored and resident. */
  async refresh(): Promise<void> {
    this.#view = await this.use(async (pith) => ({ ...(await pith.status()), memory: await pith.memory() }));
    this.#draw();
  }

  /** True while something works on what came from this address, anywhere on the page. */
  isBusy(url: string): boolean {
    return this.#busy.has(url);
  }

  /** Marks an address as worked on until the work ends. */
  async claim<T>(url: string | null, work: () => Promise<T>): Promise<T> {
    if (url === null) return work();
    this.#mark(url, 1);
    try {
      return await work();
    } finally {
      this.#mark(url, -1);
    }
  }

  #mark(url: string, step: number): void {
    const users = (this.#busy.get(url) ?? 0) + step;
    if (users > 0) this.#busy.set(url, users);
    else this.#busy.delete(url);
    this.#draw();
  }

  #draw(): void {
    if (this.#view) for (const listener of this.#onView) listener(this.#view);
  }
}
