// Which encoder finds the passages of a page, where that is not plain: a page in another language than it reads, or one that is missing.
import { knownEncoders } from "@pith/web/models";
import type { EncoderUsed } from "../encoder-wire.js";
import { builtInReads, isMadeFor } from "../language-tag.js";
import type { Roles } from "../roles.js";
import { bytes } from "../ui/amounts.js";
import { h, say, show } from "../ui/dom.js";
import { languageName, called, t } from "../ui/words.js";

/** A sentence for the reader, and the label of a button to the models page. */
export interface EncoderNote {
  words: string;
  offer: string;
  /** What the worker says of it. */
  detail: string;
}

const WHY: Record<NonNullable<EncoderUsed["instead"]>["why"], string> = {
  gone: "encoder_gone",
  incomplete: "encoder_incomplete",
  failed: "encoder_failed",
  language: "encoder_language",
};

/** The first model that reads a language, with its size. */
function offerFor(language: string): string {
  const known = knownEncoders.find(({ languages }) => !languages || languages.includes(language));
  return known?.bytes ? t("encoderGet", known.name, bytes(known.bytes)) : t("encoderModels");
}

/** Why the chosen one does not read: as it turned out, or as its languages say. */
function insteadOf(chosen: Roles["encoder"], used: EncoderUsed | null, language: string): EncoderUsed["instead"] {
  if (!chosen) return null;
  if (used?.instead?.title === chosen.title) return used.instead;
  return isMadeFor(chosen.languages, language) ? null : { title: chosen.title, why: "language", detail: "" };
}

/** What there is to say of the encoder of a page in a language; null where it reads that. */
export function encoderNote(chosen: Roles["encoder"], used: EncoderUsed | null, language: string): EncoderNote | null {
  const isPlain = language === "und" || builtInReads(language);
  const instead = insteadOf(chosen, used, language === "und" ? "" : language);
  if (!instead && (chosen || isPlain)) return null;
  const outcome = isPlain ? t("encoderInstead") : t("encoderWords", languageName(language));
  const why = instead ? `${t(WHY[instead.why], called(instead.title), languageName(language))} ` : "";
  return { words: `${why}${outcome}`, offer: offerFor(language), detail: instead?.detail ?? "" };
}

/** The sentence with a button to the models page. */
export function createEncoderNote(openModels: () => void): {
  element: HTMLElement;
  draw(chosen: Roles["encoder"], used: EncoderUsed | null, language: string): void;
} {
  const words = h("span", {});
  const button = h("button", { type: "button", class: "link" });
  button.addEventListener("click", openModels);
  const detail = h("p", { class: "note", lang: "en", dir: "ltr" });
  const element = h("div", { class: "encoder-note" }, h("p", {}, words, " ", button), detail);
  return {
    element,
    draw(chosen, used, language) {
      const note = encoderNote(chosen, used, language);
      show(element, note !== null);
      if (!note) return;
      say(words, note.words);
      say(button, note.offer);
      show(detail, note.detail !== "");
      say(detail, note.detail);
    },
  };
}
