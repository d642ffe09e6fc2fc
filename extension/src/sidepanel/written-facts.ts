import type { FinishReason, WrittenText } from "@pith/web";
import { h, say, set, show } from "../ui/dom.js";
import { decimal, called, number, percent, seconds, t } from "../ui/words.js";
import { RAN_ON } from "./ran-on.js";

/** The message that says why a text ends early. */
const CUTS: Record<FinishReason, string | null> = {
  stop: null,
  toolCalls: null,
  length: "cutByLength",
  context: "cutByContext",
};

/** The small print of a written text: who wrote it, from how much of the page, and what it took. */
export interface WrittenFacts {
  element: HTMLElement;
  draw(text: WrittenText | null): void;
}

/** `ofPage`: the text is about the whole page, so it tells how much of it was read. */
export function createWrittenFacts(ofPage: boolean): WrittenFacts {
  const share = h("p");
  const cut = h("p");
  const thought = h("p");
  const by = h("summary", { dir: "auto" });
  const ranOn = h("p");
  const device = h("p", { dir: "auto" });
  const context = h("p");
  const meter = h("meter", { min: 0, max: 1 });
  const tokens = h("p");
  const speed = h("p");
  const more = h("details", { class: "more" }, by, ranOn, device, context, meter, tokens, speed);
  const element = h("footer", { class: "written-facts" }, share, cut, thought, more);
  return {
    element,
    draw(text) {
      show(element, text !== null);
      if (!text) return;
      const words = number(text.wordsRead);
      // 99.7 % is not the whole page.
      const isWhole = text.shareRead >= 1;
      say(
        share,
        isWhole ? t("shareAll", words) : t("sharePart", percent(Math.floor(text.shareRead * 100) / 100), words),
      );
      show(share, ofPage && text.wordsRead > 0);
      const early = CUTS[text.finishReason];
      show(cut, early !== null);
      if (early) say(cut, t(early));
      show(thought, text.thinkingTokens > 0);
      say(thought, t("thought", number(text.thinkingTokens)));
      say(by, t("writtenBy", called(text.by)));
      const where = RAN_ON[text.backend.kind];
      const places = [where && t(where), text.parts > 1 && t("readInParts", number(text.parts))].filter(Boolean);
      show(ranOn, places.length > 0);
      say(ranOn, places.join(" · "));
      // A server of the reader's own does not tell where it runs.
      show(device, where !== undefined);
      say(device, `${text.backend.device} · ${text.backend.reason}`);
      drawContext(text, ofPage, context, meter);
      say(tokens, t("tokensRead", number(text.promptTokens), number(text.reusedTokens)));
      const perSecond = decimal(text.tokens / Math.max(text.timeMs / 1000, 0.001));
      say(speed, t("tokensWritten", number(text.tokens), perSecond, seconds(text.firstLineMs), seconds(text.timeMs)));
    },
  };
}

/** Parts are read one by one, each in a context of its own; of a summary's prompts only the sum is known. */
function drawContext(
  { promptTokens, tokens, contextTokens, parts }: WrittenText,
  ofPage: boolean,
  words: HTMLElement,
  meter: HTMLElement,
): void {
  for (const one of [words, meter]) show(one, contextTokens > 0);
  if (contextTokens <= 0) return;
  const used = Math.min(Math.round((promptTokens + tokens) / Math.max(parts, 1)), contextTokens);
  const values = [percent(used / contextTokens), number(used), number(contextTokens)];
  const text = ofPage ? t("contextUsedMost", ...values) : t("contextUsed", ...values);
  say(words, text);
  set(meter, "value", used / contextTokens);
  set(meter, "aria-label", text);
}
