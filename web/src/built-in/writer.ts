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

const TONES = ["formal", "neutral", "casual"] as const;
const FORMATS = ["plain-text", "markdown"] as const;
const LENGTHS = ["short", "medium", "long"] as const;
const AMOUNTS = { short: "one short paragraph", medium: "two or three paragraphs", long: "five or more paragraphs" };

interface Kind {
  tone?: (typeof TONES)[number];
  format?: (typeof FORMATS)[number];
  length?: (typeof LENGTHS)[number];
}

export interface WriterCoreOptions extends WritingCoreOptions, Kind {}
export interface WriterCreateOptions extends WritingCreateOptions, Kind {}

const read = ({ tone, format, length }: Kind): Required<Kind> => ({
  tone: oneOf("tone", TONES, tone, "neutral"),
  format: oneOf("format", FORMATS, format, "markdown"),
  length: oneOf("length", LENGTHS, length, "short"),
});

/** `Writer` of the Writing Assistance APIs. */
export class Writer extends Writing {
  readonly tone: (typeof TONES)[number];
  readonly format: (typeof FORMATS)[number];
  readonly length: (typeof LENGTHS)[number];

  private constructor(prepared: Prepared, options: WriterCreateOptions) {
    super(prepared, options);
    ({ tone: this.tone, format: this.format, length: this.length } = read(options));
  }

  static async availability(options: WriterCoreOptions = {}): Promise<Availability> {
    read(options);
    return available(options);
  }

  static async create(options: WriterCreateOptions = {}): Promise<Writer> {
    read(options);
    return new Writer(await prepare(options), options);
  }

  // `write` and `writeStreaming` are the specification's names.
  override write(input: string, options: WritingOptions = {}): Promise<string> {
    return super.write(input, options);
  }

  writeStreaming(input: string, options: WritingOptions = {}): ReadableStream<string> {
    return this.stream(input, options);
  }

  protected override task(): string {
    const format = this.format === "markdown" ? "Markdown" : "plain text";
    return `Write what the user asks for, in a ${this.tone} tone, as ${format}, in ${AMOUNTS[this.length]}.`;
  }
}
