import type { BuiltIn } from "./actions.js";

/** The messages that name the built-in actions. */
export const ACTION_NAMES: Record<BuiltIn, string> = {
  explain: "actionExplain",
  simplify: "actionSimplify",
  summarize: "actionSummarize",
  translate: "actionTranslate",
  define: "actionDefine",
};
