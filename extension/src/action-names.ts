import type { BuiltIn } from "./actions.js";
import type { BrowserKey } from "./browser-words.js";

/** The messages that name the built-in actions. */
export const ACTION_NAMES: Record<BuiltIn, BrowserKey> = {
  explain: "actionExplain",
  simplify: "actionSimplify",
  summarize: "actionSummarize",
  translate: "actionTranslate",
  define: "actionDefine",
};
