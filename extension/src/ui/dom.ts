// Small helpers for a view that sets text as text and nothing else.

type Child = Node | string | null;

interface Props {
  class?: string;
  id?: string;
  /** Everything else, as attributes; `true` is an empty one, `null` and `false` none. */
  [attribute: string]: string | number | boolean | null | undefined;
}

/** Makes an element. Strings become text nodes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) set(element, name, value ?? null);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Sets or removes an attribute, touching the page only where something changes. */
export function set(element: Element, name: string, value: string | number | boolean | null): void {
  if (value === null || value === false) {
    element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Sets the text of an element, touching it only where something changes. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows or hides. */
export function show(element: HTMLElement, shown: boolean): void {
  if (element.hidden === shown) element.hidden = !shown;
}

/**
 * Makes the children of `parent` those of `items`, keeping the elements whose key stays: they keep focus and place.
 */
export function keyed<T>(
  parent: Element,
  items: readonly T[],
  key: (item: T) => string,
  make: (item: T) => HTMLElement,
  update?: (element: HTMLElement, item: T) => void,
): void {
  const old = new Map([...parent.children].map((child) => [child.getAttribute("data-key"), child as HTMLElement]));
  let at = parent.firstElementChild;
  for (const item of items) {
    const id = key(item);
    let element = old.get(id);
    if (element) {
      old.delete(id);
    } else {
      element = make(item);
      element.setAttribute("data-key", id);
    }
    update?.(element, item);
    if (element === at) at = at.nextElementSibling;
    else parent.insertBefore(element, at);
  }
  for (const gone of old.values()) gone.remove();
}

/** A required element of the panel's own markup. */
export function part<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the panel has no #${id}`);
  return found as T;
}
