import { type Availability, open, untilAborted } from "./engine.js";
import { quotaExceeded, toDomException, unsupported } from "./errors.js";
import { Meter } from "./meter.js";
import { tagsOf } from "./prompt.js";
import { type CreateOptions, monitorOf, Session } from "./session.js";

/** Languages that the worker tells apart, by their function words or their script. */
const KNOWN = "ar da de el en es fa fr he hi it ja ko nl pl pt ru sv th tr uk zh".split(" ");
/** Longest input, in UTF-16 code units. */
const QUOTA = 1_000_000;
/** What is sent of it: the worker reads at most 64 KiB. */
const SENT = 65_536;

export interface LanguageDetectorCoreOptions {
  /** Languages that inputs may have. They have to be known; the results are the same. */
  expectedInputLanguages?: readonly string[];
}

export interface LanguageDetectorCreateOptions extends LanguageDetectorCoreOptions, CreateOptions {}

export interface LanguageDetectorOptions {
  signal?: AbortSignal;
}

/** A language that an input may be in; "und" for all others. */
export interface LanguageDetectionResult {
  detectedLanguage: string;
  confidence: number;
}

/** Canonical tags, each once; a RangeError for a bad one. */
const expected = ({ expectedInputLanguages }: LanguageDetectorCoreOptions): string[] => [
  ...new Set(tagsOf(expectedInputLanguages ?? [])),
];

const isKnown = (tag: string): boolean => KNOWN.includes(new Intl.Locale(tag).language);

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** `LanguageDetector` of the Language Detector API. It needs no model. */
export class LanguageDetector extends Session {
  readonly expectedInputLanguages: readonly string[] | null;

  private constructor(languages: readonly string[], signal: AbortSignal | undefined) {
    super(signal);
    this.expectedInputLanguages = languages.length > 0 ? Object.freeze(languages) : null;
  }

  /** `available` if all expected languages are known. */
  static async availability(options: LanguageDetectorCoreOptions = {}): Promise<Availability> {
    return expected(options).every(isKnown) ? "available" : "unavailable";
  }

  static async create(options: LanguageDetectorCreateOptions = {}): Promise<LanguageDetector> {
    const { signal } = options;
    signal?.throwIfAborted();
    const languages = expected(options);
    const unknown = languages.find((tag) => !isKnown(tag));
    if (unknown !== undefined) throw unsupported(`The language "${unknown}"`);
    const monitor = monitorOf(options);
    // Nothing is downloaded: the progress begins and ends. Whoever sees it may still abort.
    const meter = new Meter();
    if (monitor) meter.watch(monitor);
    try {
      await untilAborted(open().then(nextTask), signal);
    } catch (error) {
      throw toDomException(error);
    }
    if (monitor) {
      meter.end(monitor);
      await untilAborted(nextTask(), signal);
    }
    return new LanguageDetector(languages, signal);
  }

  /** Longest input, in UTF-16 code units. */
  get inputQuota(): number {
    return QUOTA;
  }

  /** The languages of a text, the most probable first, "und" last. */
  async detect(input: string, options: LanguageDetectorOptions = {}): Promise<LanguageDetectionResult[]> {
    const signal = this.begin(options.signal);
    const text = String(input);
    if (text.length > QUOTA) throw quotaExceeded(text.length, QUOTA);
    try {
      const pith = await untilAborted(open(), signal);
      const outcome = await pith.channel.call({ type: "detectLanguage", text: text.slice(0, SENT) }, { signal });
      const languages = outcome.type === "languages" ? outcome.languages : [];
      return languages.map(({ language, confidence }) => ({ detectedLanguage: language, confidence }));
    } catch (error) {
      throw toDomException(error);
    }
  }

  /** Length of an input, in UTF-16 code units. */
  async measureInputUsage(input: string, options: LanguageDetectorOptions = {}): Promise<number> {
    const signal = this.begin(options.signal);
    return untilAborted(Promise.resolve(String(input).length), signal);
  }
}
