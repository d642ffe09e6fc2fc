import { Pauser, PithError, type Progress } from "@pith/web";
import { button, isStop, make, say, showError } from "./dom.js";
import { ProgressView } from "./progress.js";
import type { Session } from "./session.js";

/** What a job hands to the request that it runs. */
export interface Run {
  signal: AbortSignal;
  pauser: Pauser;
  onProgress: (progress: Progress) => void;
}

/**
 * What takes time. Resolves with a sentence, and with what else is to be shown. `force`: the user insists, though a model is too
 * large.
 */
export type Work = (run: Run, force: boolean) => Promise<{ said: string; shown?: Node[] }>;

/** After a stop the worker ends its step and notes what it has; the page looks again then. */
const STOP_MS = 500;

/** Where a model's requests run, one at a time: while one does, its progress stands in the place of its buttons. */
export class Job {
  readonly #session: Session;
  readonly #name: () => string;
  readonly #actions: HTMLElement;
  readonly #place: HTMLElement;
  #running = false;

  /** `actions` has the buttons, `place` shows progress and results, `name` says what it is about. */
  constructor(session: Session, name: () => string, actions: HTMLElement, place: HTMLElement) {
    this.#session = session;
    this.#name = name;
    this.#actions = actions;
    this.#place = place;
  }

  get running(): boolean {
    return this.#running;
  }

  /** Asks in the place of the buttons: what is confirmed is run, anything else leaves all as it was. */
  confirm(question: string, yes: string, no: string, work: Work, url: string | null): void {
    const from = document.activeElement;
    const keep = button(no, this.#name(), () => {
      this.#place.replaceChildren();
      this.#actions.hidden = false;
      this.#giveFocus(from);
    });
    const go = button(yes, this.#name(), () => void this.run(work, url), "grave");
    const ask = make("div", { role: "group", ariaLabel: question }, make("p", { className: "said" }, question));
    ask.append(make("div", { className: "actions" }, go, keep));
    ask.addEventListener("keydown", ({ key }) => key === "Escape" && keep.click());
    this.#place.replaceChildren(ask);
    this.#actions.hidden = true;
    keep.focus();
  }

  /** Runs some work on what came from `url`, if it came from one. */
  async run(work: Work, url: string | null = null, force = false): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    const from = document.activeElement;
    const began = this.#actions.contains(from) || this.#place.contains(from);
    const pauser = new Pauser();
    const stop = new AbortController();
    const bar = new ProgressView(this.#name(), pauser, () => stop.abort());
    this.#place.replaceChildren(bar.element);
    this.#actions.hidden = true;
    if (began) bar.focus();
    const rest: Node[] = [];
    try {
      const run = { signal: stop.signal, pauser, onProgress: bar.draw };
      const { said, shown = [] } = await this.#session.claim(url, () => work(run, force));
      rest.push(make("p", { className: "said" }, said), ...shown);
      say(said);
    } catch (error) {
      rest.push(...this.#failure(error, bar.fetched, () => void this.run(work, url, true)));
    }
    bar.end();
    this.#running = false;
    await this.#session.refresh().catch(() => {});
    const held = this.#place.contains(document.activeElement);
    this.#place.replaceChildren(...rest);
    this.#actions.hidden = false;
    if (held) this.#giveFocus(from);
  }

  #failure(error: unknown, fetched: boolean, insist: () => void): Node[] {
    if (isStop(error)) {
      setTimeout(() => void this.#session.refresh().catch(() => {}), STOP_MS);
      const said = fetched ? "Cancelled. What was fetched is kept." : "Cancelled.";
      say(said);
      return [make("p", { className: "said" }, said)];
    }
    const place = make("div", { role: "alert" });
    showError(place, error);
    if (error instanceof PithError && error.code === "too_large")
      place.append(make("div", { className: "actions" }, button("Load anyway", "", insist)));
    return [place];
  }

  /** Back to the button that began it, or to the first that can be pressed. */
  #giveFocus(from: Element | null): void {
    const buttons = [from, ...this.#actions.querySelectorAll("button")];
    const usable = (one: Element | null): one is HTMLButtonElement =>
      one instanceof HTMLButtonElement && one.checkVisibility() && !one.disabled;
    buttons.find(usable)?.focus();
  }
}
