/** Finds the value that holds most. */
export class Tally<T> {
  readonly #sums = new Map<string, { value: T; sum: number }>();

  add(key: string, value: T, amount: number): void {
    const known = this.#sums.get(key);
    if (known) known.sum += amount;
    else this.#sums.set(key, { value, sum: amount });
  }

  most(): T | undefined {
    let most: { value: T; sum: number } | undefined;
    for (const one of this.#sums.values()) if (!most || one.sum > most.sum) most = one;
    return most?.value;
  }
}
