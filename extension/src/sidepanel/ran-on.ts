import type { Answer } from "@pith/web";
import type { EncoderUsed } from "../encoder-wire.js";
import { h, say, show } from "../ui/dom.js";
import { called, languageName, t } from "../ui/words.js";

/** The message that says where a model ran. */
export const RAN_ON: Record<string, string> = { webgpu: "ranOn_webgpu", webgl2: "ranOn_webgl2", cpu: "ranOn_cpu" };

/** What the encoder did for an answer: where it ran, or that it took no part. */
export interface AnswerFacts {
  element: HTMLElement;
  draw(answer: Answer | null, encoder: EncoderUsed | null): void;
}

export function createAnswerFacts(): AnswerFacts {
  const keywords = h("p", { class: "note" });
  const where = h("summary");
  const reason = h("p", { dir: "auto" });
  const ranOn = h("details", { class: "more ran-on" }, where, reason);
  const element = h("footer", { class: "answer-facts" }, keywords, ranOn);
  return {
    element,
    draw(answer, encoder) {
      show(keywords, answer?.withoutEncoder === "unknownLanguage");
      if (answer) say(keywords, keywordsWords(encoder, languageName(answer.language)));
      const backend = answer?.backend ?? null;
      show(ranOn, backend !== null);
      if (!backend) return;
      say(where, t(RAN_ON[backend.kind] ?? "ranOn_cpu"));
      say(reason, `${backend.device} · ${backend.reason}`);
    },
  };
}

const keywordsWords = (encoder: EncoderUsed | null, language: string): string =>
  encoder?.title ? t("answerWithoutEncoder", called(encoder.title), language) : t("answerWithoutModel", language);
