import type { Availability } from "./engine.js";
import {
  available,
  oneOf,
  prepare,
  type Prepared,
  Writing,
  type WritingCoreOptions,
  type WritingCreateOptions,
  type WritingOptions,
} from "./writing.js";

const TYPES = ["tldr", "teaser", "key-points", "headline"] as const;
const FORMATS = ["plain-text", "markdown"] as const;
const LENGTHS = ["short", "medium", "long"] as const;

interface Kind {
  type?: (typeof TYPES)[number];
  format?: (typeof FORMATS)[number];
  length?: (typeof LENGTHS)[number];
}

export interface SummarizerCoreOptions extends WritingCoreOptions, Kind {}
export interface SummarizerCreateOptions extends WritingCreateOptions, Kind {}

/** How much of each type, by length: sentences, sentences, points, words. */
const AMOUNTS = {
  tldr: ["one sentence", "three sentences", "five sentences"],
  teaser: ["one sentence", "three sentences", "five sentences"],
  "key-points": ["three points", "five points", "seven points"],
  headline: ["at most 12 words", "at most 17 words", "at most 22 words"],
} as const;

const TASKS = {
  tldr: "Summarize the user's text",
  teaser: "Write a teaser that makes curious about the user's text",
  "key-points": "List the most important points of the user's text",
  headline: "Write a headline for the user's text",
} as const;

/** The values of a kind, with the specification's defaults. */
const read = ({ type, format, length }: Kind): Required<Kind> => ({
  type: oneOf("type", TYPES, type, "key-points"),
  format: oneOf("format", FORMATS, format, "markdown"),
  length: oneOf("length", LENGTHS, length, "short"),
});

/** `Summarizer` of the Writing Assistance APIs. */
export class Summarizer extends Writing {
  readonly type: (typeof TYPES)[number];
  readonly format: (typeof FORMATS)[number];
  readonly length: (typeof LENGTHS)[number];

  private constructor(prepared: Prepared, options: SummarizerCreateOptions) {
    super(prepared, options);
    ({ type: this.type, format: this.format, length: this.length } = read(options));
  }

  static async availability(options: SummarizerCoreOptions = {}): Promise<Availability> {
    read(options);
    return available(options);
  }

  static async create(options: SummarizerCreateOptions = {}): Promise<Summarizer> {
    read(options);
    return new Summarizer(await prepare(options), options);
  }

  summarize(input: string, options: WritingOptions = {}): Promise<string> {
    return this.write(input, options);
  }

  summarizeStreaming(input: string, options: WritingOptions = {}): ReadableStream<string> {
    return this.stream(input, options);
  }

  protected override task(): string {
    const amount = AMOUNTS[this.type][LENGTHS.indexOf(this.length)];
    const marks = this.type === "key-points" ? "Begin each point on a line of its own with a hyphen. " : "";
    const format = this.format === "markdown" ? marks : `${marks}Use no other marks.`;
    return `${TASKS[this.type]} in ${amount}. Say only what the text says. ${format}`.trim();
  }
}
