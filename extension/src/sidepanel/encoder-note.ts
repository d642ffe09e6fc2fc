// Which encoder read a page, where that is not plain: a page in another language than English, or a downloaded encoder.
import type { Summary } from "@pith/web";
import { knownEncoders } from "@pith/web/models";
import type { EncoderUsed } from "../encoder-wire.js";
import { bytes } from "../ui/amounts.js";
import { h, say, show } from "../ui/dom.js";
import { languageName, called, t } from "../ui/words.js";

/** A sentence for the reader, and the label of a button to the models page where that has something for them. */
export interface EncoderNote {
  words: string;
  offer: string | null;
}

const WHY: Record<NonNullable<EncoderUsed["instead"]>["why"], string> = {
  gone: "encoder_gone",
  incomplete: "encoder_incomplete",
  failed: "encoder_failed",
  language: "encoder_language",
};

type Result = Pick<Summary, "withoutEncoder" | "language">;

/** The first model that reads a language, with its size. */
function offerFor(language: string): string {
  const known = knownEncoders.find(({ languages }) => !languages || languages.includes(language));
  return known?.bytes ? t("encoderGet", known.name, bytes(known.bytes)) : t("encoderModels");
}

/** What there is to say of the encoder; null on a page in English that the built-in one read, as always. */
export function encoderNote(used: EncoderUsed | null, { withoutEncoder, language }: Result): EncoderNote | null {
  if (!used) return null;
  const isUnread = withoutEncoder === "unknownLanguage";
  const { title, instead } = used;
  if (title !== null) {
    if (isUnread)
      return { words: t("ranOn_text_encoder", called(title), languageName(language)), offer: offerFor(language) };
    const isEnglish = language === "en" || language === "und";
    return { words: t(isEnglish ? "encoderRead" : "encoderReadOther", called(title)), offer: null };
  }
  const outcome = isUnread ? t("encoderWords", languageName(language)) : t("encoderInstead");
  if (!instead) return isUnread ? { words: outcome, offer: offerFor(language) } : null;
  const why = t(WHY[instead.why], called(instead.title), languageName(language));
  return { words: `${why} ${outcome}`, offer: offerFor(language) };
}

/** The sentence with a button to the models page. */
export function createEncoderNote(openModels: () => void): {
  element: HTMLElement;
  draw(used: EncoderUsed | null, result: Result): void;
} {
  const words = h("span", {});
  const button = h("button", { type: "button", class: "link" });
  button.addEventListener("click", openModels);
  const detail = h("p", { class: "note", lang: "en", dir: "ltr" });
  const element = h("div", { class: "encoder-note" }, h("p", {}, words, " ", button), detail);
  return {
    element,
    draw(used, result) {
      const note = encoderNote(used, result);
      show(element, note !== null);
      if (!note) return;
      say(words, note.words);
      show(button, note.offer !== null);
      say(button, note.offer ?? "");
      show(detail, Boolean(used?.instead?.detail));
      say(detail, used?.instead?.detail ?? "");
    },
  };
}
