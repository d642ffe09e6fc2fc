import type { FinishReason, WrittenText } from "@pith/web";
import { h, say, set, show } from "../ui/dom.js";
import { decimal, number, percent, seconds, t } from "../ui/words.js";
import { RAN_ON } from "./ran-on.js";

/** The message that says why a text ends early. */
const CUTS: Record<FinishReason, string | null> = { stop: null, length: "cutByLength", context: "cutByContext" };

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
      say(by, t("writtenBy", text.by));
      say(ranOn, text.parts > 1 ? `${ranOnWords(text)} · ${t("readInParts", number(text.parts))}` : ranOnWords(text));
      say(device, `${text.backend.device} · ${text.backend.reason}`);
      drawContext(text, context, meter);
      say(tokens, t("tokensRead", number(text.promptTokens), number(text.reusedTokens)));
      const perSecond = decimal(text.tokens / Math.max(text.timeMs / 1000, 0.001));
      say(speed, t("tokensWritten", number(text.tokens), perSecond, seconds(text.firstLineMs), seconds(text.timeMs)));
    },
  };
}

const ranOnWords = ({ backend }: WrittenText): string => t(RAN_ON[backend.kind] ?? "ranOn_cpu");

/** Parts are read one by one, each in a context of its own. */
function drawContext(
  { promptTokens, tokens, contextTokens, parts }: WrittenText,
  words: Element,
  meter: Element,
): void {
  const used = Math.round((promptTokens + tokens) / Math.max(parts, 1));
  const share = Math.min(1, used / Math.max(contextTokens, 1));
  const text = t("contextUsed", percent(share), number(Math.min(used, contextTokens)), number(contextTokens));
  say(words, text);
  set(meter, "value", share);
  set(meter, "aria-label", text);
}
