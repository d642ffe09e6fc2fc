// The browser's own language model: whether there is one, and its download, which begins with a press.
import { browserAvailability, downloadBrowserModel, findBrowserModel } from "../browser-model.js";
import { h, say, set, show } from "../ui/dom.js";
import { drawFailure } from "../ui/job.js";
import { percent, t } from "../ui/words.js";
import { chooseWriter } from "./choose.js";
import type { ModelsLink } from "./link.js";

/** What the reader knows it by: no browser tells the model's name. */
export const browserTitle = (): string => t("browserModel");

/** An offer to have the browser download its model; nothing where it has none, or has it already. */
export function createBrowserOffer(link: ModelsLink): HTMLElement {
  const model = findBrowserModel();
  const button = h("button", { type: "button", class: "secondary" }, t("browserModelDownload"));
  const cancel = h("button", { type: "button", class: "quiet" }, t("cancel"));
  const words = h("p", { class: "progress-words", role: "status" });
  const bar = h("progress", { max: 1, "aria-label": t("browserModelDownload") });
  const failure = h("div", {});
  const actions = h("div", { class: "actions" }, button, cancel);
  const element = h(
    "div",
    { class: "browser-offer" },
    h("p", {}, t("browserModelOffer")),
    words,
    bar,
    failure,
    actions,
  );
  let stop: AbortController | null = null;

  const draw = (share: number | null): void => {
    show(element, ["downloadable", "downloading"].includes(link.model.browser ?? ""));
    for (const one of [words, bar, cancel]) show(one, share !== null);
    show(button, share === null);
    if (share === null) return;
    say(words, t("browserModelLoading", percent(share)));
    set(bar, "value", share);
  };
  const look = async (): Promise<void> => {
    link.update({ browser: await browserAvailability(model) });
    draw(null);
  };
  // Nothing is awaited before `create`: the browser begins a download in the task of a press only.
  button.addEventListener("click", () => {
    if (!model) return;
    const { signal } = (stop = new AbortController());
    drawFailure(failure, null, []);
    draw(0);
    downloadBrowserModel(model, signal, draw).then(
      async () => {
        await look();
        chooseWriter(link, { type: "browser", title: browserTitle() });
      },
      (error: unknown) => {
        draw(null);
        const code = "browser_model_failed";
        if (!signal.aborted) drawFailure(failure, { code, message: "", help: "", detail: String(error) }, []);
      },
    );
  });
  cancel.addEventListener("click", () => stop?.abort());
  draw(null);
  void look();
  return element;
}
