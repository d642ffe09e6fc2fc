// What the page shows of a test, and of the server that is on.
import type { ChatResult } from "../../host/writers/openai/collected.js";
import type { Connection } from "../../host/writers/openai/connection.js";
import { fillWith, h, say, set, show } from "../../ui/dom.js";
import { called, number, seconds, t } from "../../ui/words.js";

/** Which server is on; null where none is. */
export function drawState(place: HTMLElement, connection: Connection | null, onTurnOff: () => void): void {
  set(place, "data-on", connection !== null);
  if (!connection) {
    fillWith(place, h("p", {}, h("strong", {}, t("serverOff")), t("serverOffNote")));
    return;
  }
  const { host } = new URL(connection.base);
  const button = h("button", { id: "turn-off", type: "button", class: "secondary" }, t("serverTurnOff"));
  button.addEventListener("click", onTurnOff);
  fillWith(
    place,
    h("p", {}, h("strong", {}, t("serverOn", called(host))), t("serverOnNote", called(connection.model), called(host))),
    button,
    h("p", { class: "note" }, t("serverTurnOffNote")),
  );
}

/** Shows that a test runs, with a way to stop it. */
export function drawProgress(
  place: HTMLElement,
  onCancel: () => void,
): { words(said: string): void; text(written: string): void } {
  const said = h("span", { class: "progress-words", role: "status" });
  const written = h("q", { dir: "auto", hidden: true });
  const cancel = h("button", { type: "button", class: "quiet" }, t("cancel"));
  cancel.addEventListener("click", onCancel);
  const bar = h("progress", { max: 1, "aria-label": t("serverTest") });
  delete place.dataset["shown"];
  fillWith(place, h("div", { class: "progress" }, h("div", { class: "row" }, said, cancel), bar), written);
  return {
    words: (text) => say(said, text),
    text(text) {
      say(written, text);
      show(written, true);
    },
  };
}

/** Shows the sentence and how fast it came; gives that in words. */
export function drawResult(
  place: HTMLElement,
  { text, tokensPerSecond, firstToken_ms, thinkingTokens }: ChatResult,
): string {
  const first = seconds(firstToken_ms);
  const speed = tokensPerSecond === null ? null : t("serverSpeed", number(Math.round(tokensPerSecond * 10) / 10));
  const words = speed === null ? t("serverTestedWithoutSpeed", first) : t("serverTested", speed, first);
  const thought = thinkingTokens > 0 ? h("p", { class: "note" }, t("serverThought", number(thinkingTokens))) : null;
  const lines = [h("p", {}, words), h("q", { dir: "auto" }, text.trim()), thought];
  fillWith(place, ...lines.filter((line) => line !== null));
  show(place, true);
  return words;
}
