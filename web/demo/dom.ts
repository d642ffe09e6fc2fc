import { PithError } from "@pith/web";

/** An element of the page's own markup. */
export function part<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Shows an error in words, with what to do, or takes it away. A request that the user ended is no error. */
export function showError(place: HTMLElement, error: unknown): void {
  place.replaceChildren();
  if (error === null || (error instanceof DOMException && error.name === "AbortError")) return;
  const known = error instanceof PithError ? error : new PithError({ code: "unexpected", message: String(error) });
  const message = Object.assign(document.createElement("strong"), { textContent: known.message });
  const help = Object.assign(document.createElement("p"), { textContent: known.help });
  const detail = Object.assign(document.createElement("code"), { textContent: [known.code, known.detail].filter(Boolean).join(": ") });
  place.replaceChildren(message, help, detail);
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

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
export const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
