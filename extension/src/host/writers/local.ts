import type { Answer, Page, Pith, Summary, WriterTier, WrittenText } from "@pith/web";
import type { Reading } from "../../encoder-wire.js";
import { readState } from "../../history/store.js";
import type { LocalWriter as Role } from "../../roles.js";
import type { Engine } from "../engine.js";
import { LANGUAGE } from "../model-names.js";
import { hasCode } from "../run.js";
import { gone } from "./missing.js";
import type { AnswerWish, Hooks, SummaryWish, Writer } from "./writer.js";

/** Lets a model on this machine write. */
export class LocalWriter implements Writer {
  readonly #engine: Engine;
  readonly #role: Role;
  readonly #reading: Reading;

  constructor(engine: Engine, role: Role, reading: Reading) {
    this.#engine = engine;
    this.#role = role;
    this.#reading = reading;
  }

  summarize(page: Page, { targetLanguage, ...wish }: SummaryWish, hooks: Hooks<Summary>): Promise<Summary> {
    const language = targetLanguage === null ? {} : { targetLanguage };
    return this.#write(hooks, (pith, told) =>
      pith.summarize(page, { ...wish, ...language, writer: LANGUAGE, ...told }),
    );
  }

  async ask(page: Page, question: string, wish: AnswerWish, hooks: Hooks<Answer>): Promise<Answer> {
    const { isPrivate, ...asked } = wish;
    // What a prompt is to the model stays on the disk where the page itself does.
    const keepPrompt = !isPrivate && (await readState().catch(() => null))?.isOn === true;
    const options = { ...asked, keepPrompt, writer: LANGUAGE };
    // The passages that it writes from are found by this engine once more.
    await this.#engine.load(this.#reading, page.language ?? null, hooks.signal, hooks.onProgress);
    return this.#write(hooks, (pith, told) => pith.ask(page, question, { ...options, ...told }));
  }

  async #write<T extends { written: WrittenText | null }>(
    { signal, onProgress, onDraft, onTier }: Hooks<T>,
    request: (pith: Pith, hooks: Omit<Hooks<T>, "onTier">) => Promise<T>,
  ): Promise<T> {
    try {
      const tier = await this.#tier(signal, onProgress);
      if (tier !== null) onTier?.(tier);
      const told = { signal, onProgress, onDraft: (draft: T) => onDraft(this.#named(draft)) };
      return this.#named(await request(await this.#engine.pith(), told));
    } catch (error) {
      // It was deleted while it was being read, or after it had left the memory.
      if (hasCode(error, "not_stored")) throw gone(this.#role.name);
      throw error;
    }
  }

  /** Loads the model. Null where it has no chat template: then the request says so. */
  async #tier(signal: AbortSignal, onProgress: Hooks<unknown>["onProgress"]): Promise<WriterTier | null> {
    try {
      return await this.#engine.verdicts.tierOf(this.#role.name, this.#reading.backend, signal, onProgress);
    } catch (error) {
      if (hasCode(error, "no_chat_template")) return null;
      throw error;
    }
  }

  /** The model is called what the reader knows it by, not what its file says. */
  #named<T extends { written: WrittenText | null }>(result: T): T {
    return result.written ? { ...result, written: { ...result.written, by: this.#role.title } } : result;
  }
}
