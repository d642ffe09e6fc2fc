import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ERRORS } from "../../web/src/protocol.gen.js";
import { describe, expect, it } from "vitest";
// @ts-expect-error: a build script without types
import { readMessages } from "../build/messages.mjs";

const MESSAGES = fileURLToPath(new URL("../src/messages", import.meta.url));
const FORM = /__(zero|one|two|few|many|other)$/;

const read = (language: string): Record<string, string> => readMessages(language);
/** The worker's errors bring their English sentences with them. */
const fromWorker = Object.entries(ERRORS).flatMap(([code, { message, help }]) => [
  [`error_${code}`, message],
  [`error_${code}_help`, help],
]);
const english: Record<string, string> = { ...Object.fromEntries(fromWorker), ...read("en") };
/** Variants of English hold only what differs. */
const variants = ["en_GB"];
const languages = readdirSync(MESSAGES).filter((name) => name !== "en" && !variants.includes(name));

/** The number forms that a language has. */
const formsOf = (language: string): string[] =>
  new Intl.PluralRules(language.replace("_", "-")).resolvedOptions().pluralCategories;

/** The keys that a language needs: those of English, with its own number forms where English has number forms. */
function keysFor(language: string): string[] {
  const keys = Object.keys(english).filter((key) => !FORM.test(key));
  const counted = Object.keys(english).filter((key) => key.endsWith("__other"));
  const forms = formsOf(language);
  return [...keys, ...counted.flatMap((key) => forms.map((form) => key.replace(FORM, `__${form}`)))].sort();
}

/** Names that are the same in every language. */
const NAMES =
  /\$\d|https?:\/\/\S+|Pith|WebGPU|WebGL2|GPU|PDF|Markdown|HTML|JSON|GGUF|LoRA|Hugging Face|Chrome|Firefox|OpenAI|llama-server|vLLM|Ollama|LM Studio/g;

/** Whether a message has words beside names and values. */
const hasWords = (text: string): boolean => /\p{L}{3}/u.test(text.replace(NAMES, ""));

const valuesIn = (text: string): string[] => [...new Set([...text.matchAll(/\$\d/g)].map(([value]) => value))].sort();

it("knows the languages that the store listing names", () => {
  expect(languages).toEqual(["ar", "de", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt_BR", "zh_CN"]);
});

describe.each(["en", ...languages])("%s", (language) => {
  const messages = read(language);

  it("has every message, in each number form of its own", () => {
    const own = language === "en" ? { ...english, ...messages } : messages;
    expect(Object.keys(own).sort()).toEqual(keysFor(language));
  });

  it("puts the same values into a message as English", () => {
    for (const [key, text] of Object.entries(messages)) {
      const other = english[key.replace(FORM, "__other")] ?? english[key] ?? "";
      // A form for one or two may say the number in words.
      const wanted = valuesIn(english[key] ?? other);
      const found = valuesIn(text);
      if (/__(zero|one|two)$/.test(key)) expect(valuesIn(other), key).toEqual(expect.arrayContaining(found));
      else expect(found, key).toEqual(wanted);
    }
  });

  it("is written in its own script, and says which language it is", () => {
    const tag = messages["language"] ?? "";
    expect(new Intl.Locale(tag).language).toBe(new Intl.Locale(language.replace("_", "-")).language);
    expect(messages["direction"]).toBe(language === "ar" ? "rtl" : "ltr");
    const scripts: Record<string, RegExp> = {
      ar: /\p{Script=Arabic}/u,
      hi: /\p{Script=Devanagari}/u,
      ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
      ko: /\p{Script=Hangul}/u,
      zh_CN: /\p{Script=Han}/u,
    };
    const script = scripts[language] ?? /\p{Script=Latin}/u;
    const words = Object.entries(messages).filter(
      ([key, text]) => !["language", "direction"].includes(key) && hasWords(text),
    );
    const foreign = words.filter(([key, text]) => !script.test(text) && text !== english[key]);
    expect(foreign).toEqual([]);
  });

  it("is translated", () => {
    if (language === "en") return;
    const same = Object.entries(messages).filter(
      ([key, text]) => text === english[key] && text.includes(" ") && hasWords(text),
    );
    expect(same.map(([key]) => key)).toEqual([]);
  });
});

describe.each(variants)("%s", (language) => {
  it("holds only what differs", () => {
    for (const [key, text] of Object.entries(read(language))) {
      expect(english, key).toHaveProperty([key]);
      expect(text, key).not.toBe(english[key]);
    }
  });
});
