// Whether a page has a text of its own, and why it has none.
import type { Coverage } from "../wire.js";
import type { LiveBlock } from "./blocks/draft.js";
import type { Verdict } from "./classify/classify.js";
import type { Sight } from "./sight/sight.js";

/** Why there is no text. */
export type NoText = "no_text" | "text_in_frame" | "text_drawn";

/** Controls of a tool for drawings and documents; and words that stand beside them and are a text of their own. */
const TOOLS_MIN = 5;
const BESIDE_TOOLS_WORDS_MIN = 60;

/** Whether what is read is a text: beside a frame of another site any sentence is, beside a drawing with tools more than a few. */
export function holdsText({ judged }: Verdict, read: readonly LiveBlock[], { isDrawn }: Sight): boolean {
  const words = read.reduce((sum, { isProse, words }) => sum + (isProse ? words : 0), 0);
  const controls = judged.filter(({ block }) => block.isControl).length;
  return isDrawn && controls >= TOOLS_MIN ? words >= BESIDE_TOOLS_WORDS_MIN : words > 0;
}

/** Why a page without text has none. */
export function noTextOf({ leftOut }: Coverage, { isDrawn }: Sight): NoText {
  if (leftOut.some(({ kind }) => kind === "foreignFrames")) return "text_in_frame";
  return isDrawn ? "text_drawn" : "no_text";
}
