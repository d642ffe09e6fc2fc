// Keys while a part is being chosen. The panel takes them too: it has the focus when the choice begins.
import type { Step } from "./steps.js";

/** What the panel and the page do with keys. */
export type PickKey = Step | "take" | "end";

export const PICK_KEYS: Readonly<Record<string, PickKey>> = {
  ArrowUp: "out",
  ArrowDown: "in",
  ArrowLeft: "previous",
  ArrowRight: "next",
  Enter: "take",
  Escape: "end",
};
