import type { Availability } from "./engine.js";
import { tagsOf } from "./prompt.js";
import type { CreateOptions } from "./session.js";
import { available, prepare, type Prepared, Writing, type WritingOptions } from "./writing.js";

export interface TranslatorCoreOptions {
  /** A language tag, such as "de". */
  sourceLanguage: string;
  targetLanguage: string;
}

export interface TranslatorCreateOptions extends TranslatorCoreOptions, CreateOptions {}

export type TranslatorOptions = Pick<WritingOptions, "signal">;

/** Canonical tags; a TypeError where one is missing, a RangeError for a bad one. */
function pairOf(options: TranslatorCoreOptions | undefined): [source: string, target: string] {
  const { sourceLanguage, targetLanguage } = options ?? ({} as TranslatorCoreOptions);
  if (sourceLanguage === undefined || targetLanguage === undefined)
    throw new TypeError("sourceLanguage and targetLanguage are required.");
  const [source = "", target = ""] = tagsOf([String(sourceLanguage), String(targetLanguage)]);
  return [source, target];
}

const nameOf = (tag: string): string => new Intl.DisplayNames("en", { type: "language" }).of(tag) ?? tag;

/** `Translator` of the Translation API, by a prompt to the language model: it is as good as that model is. */
export class Translator extends Writing {
  readonly sourceLanguage: string;
  readonly targetLanguage: string;

  private constructor(prepared: Prepared, [source, target]: [string, string], signal: AbortSignal | undefined) {
    super(prepared, signal ? { signal } : {});
    this.sourceLanguage = source;
    this.targetLanguage = target;
  }

  static async availability(options: TranslatorCoreOptions): Promise<Availability> {
    return available({ expectedInputLanguages: pairOf(options) });
  }

  static async create(options: TranslatorCreateOptions): Promise<Translator> {
    options?.signal?.throwIfAborted();
    const pair = pairOf(options);
    return new Translator(await prepare({ ...options, expectedInputLanguages: pair }), pair, options.signal);
  }

  translate(input: string, { signal }: TranslatorOptions = {}): Promise<string> {
    return this.write(input, signal ? { signal } : {});
  }

  translateStreaming(input: string, { signal }: TranslatorOptions = {}): ReadableStream<string> {
    return this.stream(input, signal ? { signal } : {});
  }

  protected override task(): string {
    const [source, target] = [nameOf(this.sourceLanguage), nameOf(this.targetLanguage)];
    return `Translate the user's text from ${source} to ${target}. Keep its meaning, its tone and its line breaks.`;
  }
}
