// The switch of the history, with what is kept and where.
import { toHistoryError } from "../history/database.js";
import { watchHistory } from "../history/changes.js";
import { readState, turn } from "../history/store.js";
import { h } from "./dom.js";
import { drawFailure } from "./job.js";
import { isPrivate as isKeptPrivate } from "../storage.js";
import { t } from "./words.js";

/** Any error of the history as the data that views draw. */
export function historyFailure(error: unknown) {
  const { code, message } = toHistoryError(error);
  return { code, message: "", help: "", detail: message };
}

/** Builds the switch; it follows changes that were made elsewhere until the signal. */
export function createHistorySwitch(signal: AbortSignal): HTMLElement {
  const isPrivate = isKeptPrivate();
  const input = h("input", { type: "checkbox", id: "history-switch", disabled: isPrivate });
  const failure = h("div");
  const note = isPrivate ? t("historyPrivate") : t("historyNote");
  input.setAttribute("aria-describedby", "history-note");

  const fail = (error: unknown): void => drawFailure(failure, historyFailure(error), []);
  const draw = async (): Promise<void> => {
    input.checked = !isPrivate && (await readState()).isOn;
    drawFailure(failure, null, []);
  };
  input.addEventListener("change", () => void turn(input.checked).catch((error) => draw().finally(() => fail(error))));
  watchHistory(() => void draw().catch(fail), signal);
  void draw().catch(fail);
  return h(
    "div",
    { class: "setting" },
    h("label", { class: "switch", for: "history-switch" }, input, h("span", {}, t("historySwitch"))),
    h("p", { class: "note", id: "history-note" }, note),
    failure,
  );
}
