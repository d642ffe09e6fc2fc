import type { LiveBlock } from "../blocks/draft.js";
import type { Features } from "./weights.js";

/** What became of a block, and why. */
export interface Judged {
  readonly block: LiveBlock;
  readonly score: number;
  readonly features: Features;
  isRead: boolean;
}
