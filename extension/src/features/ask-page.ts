// A conversation with the page: questions, answered by its best passages and in words where a language model is chosen.
import { part, say, set } from "../ui/dom.js";
import type { Feature, Model } from "../sidepanel/panel.js";
import { createQuestionView } from "../sidepanel/question-view.js";
import { createSuggestions } from "../sidepanel/suggestions.js";
import { t } from "../ui/words.js";
import { showSource } from "./show-source.js";

export const askPage: Feature = {
  id: "ask-page",
  init(panel, signal) {
    const form = part<HTMLFormElement>("ask");
    const input = part<HTMLInputElement>("question");
    const submit = part<HTMLButtonElement>("ask-submit");
    const name = (isSeveral: boolean): void => {
      const words = t(isSeveral ? "askPages" : "ask");
      say(form.querySelector("label") ?? form, words);
      set(form, "aria-label", words);
    };
    name(false);
    say(submit, t("askSubmit"));
    set(input, "placeholder", t("askPlaceholder"));

    const draw = createQuestionView({
      cancel: (id) => void panel.host.send({ type: "cancelQuestion", id }),
      retry: (id) => void panel.host.send({ type: "retryQuestion", id, settings: panel.model.settings }),
      show: (passage) => void showSource(panel, passage),
      openModels: () => void chrome.runtime.openOptionsPage(),
    });
    const drawSuggestions = createSuggestions(part("suggestions"), (text) => void askWhatIsShown(text));
    const fresh = part("new-conversation");
    say(fresh, t("newConversation"));
    fresh.addEventListener(
      "click",
      () => {
        void panel.host.send({ type: "newConversation" });
        input.focus();
      },
      { signal },
    );

    function ask(text: string): void {
      void panel.host.send({ type: "ask", text, settings: panel.model.settings });
    }

    /** A question to a page that is not read yet, and the key of the page that was on the screen before. */
    let waiting: { text: string; key: string } | null = null;

    /** Where the tab shows another page than the one that was read, that page is read first: a question is about what is on the screen. */
    async function askWhatIsShown(text: string): Promise<void> {
      const { page, pages } = panel.model.state;
      if (!page || pages.length > 0 || !(await panel.page.isOther(page.key))) return ask(text);
      // It begins to read at once, which ends what was wrong before.
      part("again").click();
      waiting = { text, key: page.key };
    }

    /** Asks what waits once its page is there; where it could not be read, the question stands in the box again. */
    function askWaiting({ state, reading, problem, stopped }: Model): void {
      if (!waiting || reading) return;
      const { text, key } = waiting;
      if (state.page && state.page.key !== key) {
        waiting = null;
        ask(text);
      } else if (problem || stopped) {
        waiting = null;
        input.value ||= text;
      }
    }

    // While a question is typed there is time to load what finds its answer.
    let expected = "";
    const expectQuestion = (): void => {
      const { state, settings } = panel.model;
      if (!state.page || state.page.key === expected) return;
      expected = state.page.key;
      void panel.host.send({ type: "expectQuestion", settings });
    };
    input.addEventListener("input", expectQuestion, { signal });
    form.addEventListener(
      "submit",
      (event) => {
        event.preventDefault();
        const text = input.value.trim();
        if (!text || !panel.model.state.page) return;
        input.value = "";
        void askWhatIsShown(text);
      },
      { signal },
    );

    panel.watch((model, before) => {
      draw(model);
      drawSuggestions(model);
      askWaiting(model);
      name(model.state.pages.length > 0);
      // Without a page that was read there is nothing to ask.
      const ready = Boolean(model.state.page);
      input.disabled = submit.disabled = !ready;
      set(form, "data-ready", ready);
      if (model.state.questions.length > before.state.questions.length) {
        part("question-list").lastElementChild?.scrollIntoView({ block: "nearest" });
      }
    }, signal);
    panel.update({});
  },
};

// Try it on: a page of documentation ("How do I install it?"), and with a question that has nothing to do with it.
