/** Pauses and resumes the network traffic of the requests that it is passed to. */
export class Pauser {
  #paused = false;
  readonly #followers = new Set<(paused: boolean) => void>();

  get paused(): boolean {
    return this.#paused;
  }

  /** Downloaded bytes are kept. A request that starts while paused waits. */
  pause(): void {
    this.#set(true);
  }

  resume(): void {
    this.#set(false);
  }

  /** Calls `follower` on every change, and at once if paused; returns a function that unsubscribes. */
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
