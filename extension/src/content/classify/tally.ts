/** Finds the value that holds most. */
export class Tally<T> {
  readonly #sums = new Map<string, { value: T; sum: number }>();
  #largest = 0;

  add(key: string, value: T, amount: number): void {
    const known = this.#sums.get(key);
    const sum = (known?.sum ?? 0) + amount;
    this.#largest = Math.max(this.#largest, sum);
    if (known) known.sum = sum;
    else this.#sums.set(key, { value, sum });
  }

  sum(key: string): number {
    return this.#sums.get(key)?.sum ?? 0;
  }

  /** The largest of the amounts. */
  get largest(): number {
    return this.#largest;
  }

  most(): T | undefined {
    let most: { value: T; sum: number } | undefined;
    for (const one of this.#sums.values()) if (!most || one.sum > most.sum) most = one;
    return most?.value;
  }
}
