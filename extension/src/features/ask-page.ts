// A conversation with the page: questions, answered by its best passages and in words where a language model is chosen.
import { part, say, set } from "../ui/dom.js";
import type { Feature } from "../sidepanel/panel.js";
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
    input.placeholder = t("askPlaceholder");

    const draw = createQuestionView({
      cancel: (id) => void panel.host.send({ type: "cancelQuestion", id }),
      retry: (id) => void panel.host.send({ type: "retryQuestion", id, settings: panel.model.settings }),
      show: (passage) => void showSource(panel, passage),
      openModels: () => void chrome.runtime.openOptionsPage(),
    });
    const drawSuggestions = createSuggestions(part("suggestions"), ask);
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

    form.addEventListener(
      "submit",
      (event) => {
        event.preventDefault();
        const text = input.value.trim();
        if (!text || !panel.model.state.page) return;
        input.value = "";
        ask(text);
      },
      { signal },
    );

    panel.watch((model, before) => {
      draw(model);
      drawSuggestions(model);
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
