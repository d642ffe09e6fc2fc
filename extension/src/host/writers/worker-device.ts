import type { Answer, Page, Summary, SummaryLength, Unsupported } from "@pith/web";
import { primaryLanguage } from "../../language-tag.js";
import type { Reading } from "../../encoder-wire.js";
import type { Engine } from "../engine.js";
import type { Message } from "./openai/client.js";
import type { Device, Judged, Prepared, Wanted } from "./device.js";

/** This device's part, done by a worker. */
export class WorkerDevice implements Device {
  readonly #engine: Engine;
  readonly #reading: Reading;

  constructor(engine: Engine, reading: Reading) {
    this.#engine = engine;
    this.#reading = reading;
  }

  async summarize(page: Page, length: SummaryLength, signal: AbortSignal): Promise<Summary> {
    return (await this.#engine.pith()).summarize(page, { length, signal });
  }

  async ask(page: Page, question: string, signal: AbortSignal): Promise<Answer> {
    await this.#engine.load(this.#reading, page.language ?? null, signal, () => {});
    return (await this.#engine.pith()).ask(page, question, { signal });
  }

  async prepare(
    page: Page,
    wanted: Wanted,
    budget_tokens: number,
    part: number,
    signal: AbortSignal,
  ): Promise<Prepared> {
    const prompt = await (await this.#engine.pith()).preparePrompt(page, wanted, budget_tokens, { part, signal });
    return { ...prompt, messages: prompt.messages as Message[] };
  }

  async attribute(page: Page, text: string, unsupported: Unsupported, signal: AbortSignal): Promise<Judged> {
    return (await this.#engine.pith()).attribute(page, text, { unsupported, signal });
  }

  async embed(texts: string[], languages: string[], signal: AbortSignal): Promise<Float32Array[] | null> {
    const { encoder } = this.#reading;
    const isMade = languages.every((one) => encoder?.languages?.includes(primaryLanguage(one)));
    if (!encoder || !isMade) return null;
    const made = await this.#engine.embed(texts, this.#reading).catch(() => null);
    signal.throwIfAborted();
    return made?.encoder === encoder.name ? made.vectors : null;
  }
}
