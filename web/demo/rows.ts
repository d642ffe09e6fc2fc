/** A row of a list, drawn once and then brought up to date, so that focus and what runs in it stay. */
export interface Row<T> {
  element: HTMLElement;
  update: (item: T) => void;
}

/** Keeps a list of rows like a list of items. Who was in a row that goes is taken to the list. */
export class Rows<T> {
  readonly #list: HTMLElement;
  readonly #key: (item: T) => string;
  readonly #create: (item: T) => Row<T>;
  readonly #rows = new Map<string, Row<T>>();

  constructor(list: HTMLElement, key: (item: T) => string, create: (item: T) => Row<T>) {
    this.#list = list;
    this.#key = key;
    this.#create = create;
  }

  draw(items: readonly T[]): void {
    const keys = new Set(items.map(this.#key));
    for (const [key, { element }] of this.#rows) {
      if (keys.has(key)) continue;
      if (element.contains(document.activeElement)) this.#list.focus();
      element.remove();
      this.#rows.delete(key);
    }
    let before: Element | null = null;
    for (const item of items) {
      const key = this.#key(item);
      const row = this.#rows.get(key) ?? this.#create(item);
      this.#rows.set(key, row);
      const place: Element | null = before ? before.nextElementSibling : this.#list.firstElementChild;
      if (place !== row.element) this.#list.insertBefore(row.element, place);
      row.update(item);
      before = row.element;
    }
  }
}
