import { PithError } from "@pith/web";

/** An element of the page's own markup. */
export function part<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** A new element. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** A button. `of` is what it acts on, for those who do not see where it stands. */
export function button(label: string, of: string, onClick: () => void, className = ""): HTMLButtonElement {
  const made = make("button", { type: "button", className, onclick: onClick });
  relabel(made, label, of);
  return made;
}

/** Gives a button another label. */
export function relabel(one: HTMLButtonElement, label: string, of: string): void {
  one.textContent = label;
  one.ariaLabel = of ? `${label} ${of}` : null;
}

/** A list of terms and what they are. */
export function facts(pairs: readonly (readonly [string, string])[]): HTMLElement[] {
  return pairs.flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)]);
}

/** How long the browser is given to begin saving a file. */
const SAVE_MS = 60_000;

/** Gives a file to the browser's downloads. */
export function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), SAVE_MS);
}

/** Says aloud, to those who do not see it, what has come. */
export function say(text: string): void {
  part("live").textContent = text;
}

/** True for the error of a request that the user ended. */
export const isStop = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

/** Shows an error in words, with what to do, or takes it away. A request that the user ended is no error. */
export function showError(place: HTMLElement, error: unknown): void {
  place.replaceChildren();
  if (error === null || isStop(error)) return;
  const known = error instanceof PithError ? error : new PithError({ code: "unexpected", message: String(error) });
  const detail = [known.code, known.detail].filter(Boolean).join(": ");
  place.append(make("strong", {}, known.message), make("p", {}, known.help), make("code", {}, detail));
}

/** Runs work that a button ends: shows the button, gives a signal, shows what went wrong. */
export async function stoppable(
  stop: HTMLElement,
  errors: HTMLElement,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  const onStop = (): void => ending.abort();
  stop.addEventListener("click", onStop);
  stop.hidden = false;
  showError(errors, null);
  try {
    await work(ending.signal);
  } catch (error) {
    showError(errors, error);
  } finally {
    stop.removeEventListener("click", onStop);
    stop.hidden = true;
  }
}
