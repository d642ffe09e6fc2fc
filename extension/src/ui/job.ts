import type { ErrorData } from "@pith/web";
import { fillWith, h, say, set } from "./dom.js";
import { type AnyStage, failureWords, progressWords, t } from "./words.js";

/** A bar with words and a way to stop. */
export interface ProgressView {
  element: HTMLElement;
  draw(stage: AnyStage, done: number, total: number): void;
}

export function createProgress(onCancel: () => void): ProgressView {
  const words = h("span", { class: "progress-words" });
  const cancel = h("button", { type: "button", class: "quiet" }, t("cancel"));
  cancel.addEventListener("click", onCancel);
  const bar = h("progress", { max: 1 });
  const element = h("div", { class: "progress" }, h("div", { class: "row" }, words, cancel), bar);
  return {
    element,
    draw(stage, done, total) {
      const text = progressWords(stage, done, total);
      say(words, text);
      set(bar, "aria-label", text);
      set(bar, "value", total > 0 ? Math.min(1, done / total) : null);
    },
  };
}

/** A button. */
interface Action {
  label: string;
  run: () => void;
}

/** Tries again, or goes on with what the host lost. */
export const retryOf = ({ code }: ErrorData, run: () => void): Action => ({
  label: t(code === "host_lost" ? "continueWork" : "retry"),
  run,
});

/** What is as it should be, and only has to be said. */
const HINTS = ["page_needs_permission"];

/** What went wrong, what to do, and a button for it. `heading`: nothing else is on the page. */
export function createFailure(failure: ErrorData, actions: readonly Action[], heading = false): HTMLElement {
  const { message, help, detail } = failureWords(failure);
  const buttons = actions.map(({ label, run }) => {
    const button = h("button", { type: "button", class: "secondary" }, label);
    button.addEventListener("click", run);
    return button;
  });
  const isHint = HINTS.includes(failure.code);
  const details = h(
    "details",
    { class: "more" },
    h("summary", {}, t("whatHappened")),
    h("code", { dir: "ltr" }, detail),
  );
  return h(
    "div",
    { class: isHint ? "failure hint" : "failure", role: "alert" },
    h(heading ? "h1" : "p", { class: "failure-message" }, message),
    help ? h("p", { class: "failure-help" }, help) : null,
    buttons.length > 0 ? h("div", { class: "actions" }, ...buttons) : null,
    isHint ? null : details,
  );
}

/** Fills a place with a failure, or empties it; the same failure stays as it is, so that it is announced once. */
export function drawFailure(
  place: HTMLElement,
  failure: ErrorData | null,
  actions: readonly Action[],
  heading = false,
): void {
  const key = failure ? JSON.stringify([failure.code, failure.detail, heading, actions.map(({ label }) => label)]) : "";
  if (place.dataset["shown"] === key) return;
  place.dataset["shown"] = key;
  fillWith(place, ...(failure ? [createFailure(failure, actions, heading)] : []));
}
