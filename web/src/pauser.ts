/** Holds the traffic of the requests that it was given to, and lets it go on: a download's `pause` button. */
export class Pauser {
  #paused = false;
  readonly #followers = new Set<(paused: boolean) => void>();

  get paused(): boolean {
    return this.#paused;
  }

  /** What has arrived is kept. A request that begins meanwhile waits, too. */
  pause(): void {
    this.#set(true);
  }

  resume(): void {
    this.#set(false);
  }

  /** Calls with every change, and at once where it is paused already; returns what ends that. */
  follow(follower: (paused: boolean) => void): () => void {
    this.#followers.add(follower);
    if (this.#paused) follower(true);
    return () => this.#followers.delete(follower);
  }

  #set(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    for (const follower of this.#followers) follower(paused);
  }
}
