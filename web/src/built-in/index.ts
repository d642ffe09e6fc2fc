// The browsers' built-in AI (Prompt API, Writing Assistance APIs, Translator and Language Detector API), on models of this worker.
import { SemanticEmbedder } from "./embedder.js";
import { LanguageDetector } from "./language-detector.js";
import { LanguageModel } from "./language-model.js";
import { Rewriter } from "./rewriter.js";
import { Summarizer } from "./summarizer.js";
import { LanguageModelToolCall, LanguageModelToolError, LanguageModelToolSuccess } from "./tools.js";
import { Translator } from "./translator.js";
import { Writer } from "./writer.js";

const ALL = {
  LanguageModel,
  LanguageModelToolCall,
  LanguageModelToolError,
  LanguageModelToolSuccess,
  Summarizer,
  Writer,
  Rewriter,
  SemanticEmbedder,
  Translator,
  LanguageDetector,
};
/** A browser that has `LanguageModel` without tools does not take another class's calls. */
const PARTS: Readonly<Record<string, string>> = {
  LanguageModelToolCall: "LanguageModel",
  LanguageModelToolError: "LanguageModel",
  LanguageModelToolSuccess: "LanguageModel",
};

/** Makes these classes global where the browser has none of the name; with `force` in any case. Returns the names it set. */
export function install({ force = false }: { force?: boolean } = {}): string[] {
  const names = Object.keys(ALL).filter((name) => force || !((PARTS[name] ?? name) in globalThis));
  for (const name of names)
    Object.defineProperty(globalThis, name, {
      value: ALL[name as keyof typeof ALL],
      configurable: true,
      writable: true,
      enumerable: false,
    });
  return names;
}

export {
  LanguageDetector,
  LanguageModel,
  LanguageModelToolCall,
  LanguageModelToolError,
  LanguageModelToolSuccess,
  Rewriter,
  SemanticEmbedder,
  Summarizer,
  Translator,
  Writer,
};
export type { PromptChunk, PromptResult, ToolCallContent } from "./answer.js";
export type { LanguageDetectionResult } from "./language-detector.js";
export type { LanguageModelTool, LanguageModelToolResult } from "./tools.js";
export { type Availability, type BuiltInOptions, configure, DEFAULT_MODEL, type ModelChoice } from "./engine.js";
export { QuotaExceeded } from "./errors.js";
