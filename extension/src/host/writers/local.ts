import type { Answer, Page, Pith, Summary } from "@pith/web";
import type { Reading } from "../../encoder-wire.js";
import { readState } from "../../history/store.js";
import { type Engine, LANGUAGE } from "../engine.js";
import { hasCode } from "../run.js";
import { gone } from "./missing.js";
import type { AnswerWish, Hooks, SummaryWish, Writer } from "./writer.js";

/** Lets a model on this machine write. */
export class LocalWriter implements Writer {
  readonly #engine: Engine;
  readonly #model: string;
  readonly #reading: Reading;

  /** `model`: the name that it is stored under. */
  constructor(engine: Engine, model: string, reading: Reading) {
    this.#engine = engine;
    this.#model = model;
    this.#reading = reading;
  }

  summarize(page: Page, { targetLanguage, ...wish }: SummaryWish, hooks: Hooks<Summary>): Promise<Summary> {
    const language = targetLanguage === null ? {} : { targetLanguage };
    return this.#write(page, hooks, (pith) =>
      pith.summarize(page, { ...wish, ...language, writer: LANGUAGE, ...hooks }),
    );
  }

  async ask(page: Page, question: string, wish: AnswerWish, hooks: Hooks<Answer>): Promise<Answer> {
    const { isPrivate, ...asked } = wish;
    // What a prompt is to the model stays on the disk where the page itself does.
    const keepPrompt = !isPrivate && (await readState().catch(() => null))?.isOn === true;
    const options = { ...asked, keepPrompt, writer: LANGUAGE, ...hooks };
    return this.#write(page, hooks, (pith) => pith.ask(page, question, options));
  }

  async #write<T>(
    { language = null }: Page,
    { signal, onProgress }: Hooks<T>,
    request: (pith: Pith) => Promise<T>,
  ): Promise<T> {
    try {
      await this.#engine.loadWriter(this.#model, this.#reading, language, signal, onProgress);
      return await request(await this.#engine.pith());
    } catch (error) {
      // It was deleted while it was being read, or after it had left the memory.
      if (hasCode(error, "not_stored")) throw gone(this.#model);
      throw error;
    }
  }
}
