import type { Pauser, Progress, Stage } from "@pith/web";
import { button, make, relabel, say } from "./dom.js";
import { progressWords, share, stageWords } from "./words.js";

/** Stages in which there is traffic to hold. */
const CAN_PAUSE: readonly Stage[] = ["elsewhere", "download", "paused", "retry"];

/** A bar with words, and buttons that hold or end what it shows. */
export class ProgressView {
  readonly element: HTMLElement;
  /** True once bytes came. */
  fetched = false;
  readonly #words = make("p", { className: "progress-words" });
  readonly #bar = make("progress", { max: 1 });
  readonly #pause: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;
  #stage: Stage | null = null;
  #quarter = 0;
  #clock = 0;

  constructor(name: string, pauser: Pauser, stop: () => void) {
    this.#bar.ariaLabel = name;
    this.#pause = button("Pause", name, () => {
      if (pauser.paused) pauser.resume();
      else pauser.pause();
      relabel(this.#pause, pauser.paused ? "Resume" : "Pause", name);
    });
    this.#pause.hidden = true;
    this.#cancel = button("Cancel", name, stop);
    const actions = make("div", { className: "actions" }, this.#pause, this.#cancel);
    this.element = make("div", { className: "job" }, this.#words, this.#bar, actions);
    this.draw({ stage: "queue", done: 0, total: 0 });
  }

  focus(): void {
    this.#cancel.focus();
  }

  readonly draw = (progress: Progress): void => {
    clearInterval(this.#clock);
    const part = share(progress);
    if (part === null) this.#bar.removeAttribute("value");
    else this.#bar.value = part;
    this.#words.textContent = progressWords(progress);
    this.fetched ||= progress.stage === "download" && progress.done > 0;
    const canPause = CAN_PAUSE.includes(progress.stage);
    if (!canPause && document.activeElement === this.#pause) this.#cancel.focus();
    this.#pause.hidden = !canPause;
    this.#announce(progress, part);
    if (progress.stage === "retry") this.#countDown(progress);
  };

  end(): void {
    clearInterval(this.#clock);
  }

  /** Each stage once, and a download at each quarter: more would drown everything else. */
  #announce(progress: Progress, part: number | null): void {
    const quarter = progress.stage === "download" ? Math.floor((part ?? 0) * 4) : this.#quarter;
    if (progress.stage === this.#stage && quarter === this.#quarter) return;
    say(progress.stage === this.#stage ? `${quarter * 25} %` : stageWords(progress.stage));
    this.#stage = progress.stage;
    this.#quarter = quarter;
  }

  #countDown(progress: Progress): void {
    const until = performance.now() + (progress.leftMs ?? 0);
    this.#clock = window.setInterval(() => {
      this.#words.textContent = progressWords({ ...progress, leftMs: Math.max(0, until - performance.now()) });
    }, 1000);
  }
}
