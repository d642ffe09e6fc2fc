// Small helpers for a view that sets text as text and nothing else. Text reaches the screen through them alone: what nobody sees of
// it is left out here.
import { seen, shortName, shown } from "../text/seen.js";

type Child = Node | string | null;

interface Props {
  class?: string;
  id?: string;
  /** Everything else, as attributes; `true` is an empty one, `null` and `false` none. */
  [attribute: string]: string | number | boolean | null | undefined;
}

const asShown = (child: Child): Child => (typeof child === "string" ? shown(child) : child);
const isThere = (child: Child): child is Node | string => child !== null;

/** Makes an element. Strings become text nodes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) set(element, name, value ?? null);
  put(element, ...children);
  return element;
}

/** Puts nodes and texts behind what an element has. */
export const put = (element: Element, ...children: Child[]): void =>
  element.append(...children.map(asShown).filter(isThere));

/** Puts nodes and texts in place of what an element has. */
export const fillWith = (element: Element, ...children: Child[]): void =>
  element.replaceChildren(...children.map(asShown).filter(isThere));

/** The name of a model, a server or a file: it turns no text around it, and a long one is cut, with the whole in its title. */
export function nameOf(name: string): HTMLElement {
  const [whole, short] = [seen(name), shortName(name)];
  return h("bdi", { title: whole === short ? null : whole }, short);
}

/** Sets a name, touching it only where it changes. */
export function sayName(element: Element, name: string): void {
  if (element.textContent !== shortName(name)) fillWith(element, nameOf(name));
}

/** Gives the page at hand its title. */
export const setTitle = (title: string): void => void (document.title = seen(title));

/** Attributes that are read out or shown. */
const TEXTS = new Set(["title", "aria-label", "aria-description", "alt", "placeholder", "label"]);

/** Sets or removes an attribute, touching the page only where something changes. */
export function set(element: Element, name: string, value: string | number | boolean | null): void {
  if (value === null || value === false) {
    element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : TEXTS.has(name) ? shown(String(value)) : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Sets the text of an element, touching it only where something changes. */
export function say(element: Element, text: string): void {
  const now = shown(text);
  if (element.textContent !== now) element.textContent = now;
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
