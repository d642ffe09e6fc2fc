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

const TONES = ["as-is", "more-formal", "more-casual"] as const;
const FORMATS = ["as-is", "plain-text", "markdown"] as const;
const LENGTHS = ["as-is", "shorter", "longer"] as const;
const TONE_TASKS = { "as-is": "", "more-formal": "Make it more formal.", "more-casual": "Make it more casual." };
const LENGTH_TASKS = { "as-is": "Keep its length.", shorter: "Make it shorter.", longer: "Make it longer." };
const FORMAT_TASKS = { "as-is": "Keep its format.", "plain-text": "Write plain text.", markdown: "Write Markdown." };

interface Kind {
  tone?: (typeof TONES)[number];
  format?: (typeof FORMATS)[number];
  length?: (typeof LENGTHS)[number];
}

export interface RewriterCoreOptions extends WritingCoreOptions, Kind {}
export interface RewriterCreateOptions extends WritingCreateOptions, Kind {}

const read = ({ tone, format, length }: Kind): Required<Kind> => ({
  tone: oneOf("tone", TONES, tone, "as-is"),
  format: oneOf("format", FORMATS, format, "as-is"),
  length: oneOf("length", LENGTHS, length, "as-is"),
});

/** `Rewriter` of the Writing Assistance APIs. */
export class Rewriter extends Writing {
  readonly tone: (typeof TONES)[number];
  readonly format: (typeof FORMATS)[number];
  readonly length: (typeof LENGTHS)[number];

  private constructor(prepared: Prepared, options: RewriterCreateOptions) {
    super(prepared, options);
    ({ tone: this.tone, format: this.format, length: this.length } = read(options));
  }

  static async availability(options: RewriterCoreOptions = {}): Promise<Availability> {
    read(options);
    return available(options);
  }

  static async create(options: RewriterCreateOptions = {}): Promise<Rewriter> {
    read(options);
    return new Rewriter(await prepare(options), options);
  }

  rewrite(input: string, options: WritingOptions = {}): Promise<string> {
    return this.write(input, options);
  }

  rewriteStreaming(input: string, options: WritingOptions = {}): ReadableStream<string> {
    return this.stream(input, options);
  }

  protected override task(): string {
    const parts = [TONE_TASKS[this.tone], LENGTH_TASKS[this.length], FORMAT_TASKS[this.format]];
    return ["Rewrite the user's text. Keep its meaning.", ...parts.filter((one) => one !== "")].join(" ");
  }
}
