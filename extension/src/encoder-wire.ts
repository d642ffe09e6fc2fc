// Which encoder reads pages: a choice of the reader, and what became of it.
import type { Settings } from "./wire.js";

/** Which encoder reads, and where models run. */
export type Reading = Pick<Settings, "backend" | "encoder">;

/** Which encoder read a page. */
export interface EncoderUsed {
  /** As the reader knows a downloaded one; null for the built-in one. */
  title: string | null;
  /** Why the downloaded one that was chosen did not read, where the built-in one did in its place. */
  instead: { title: string; why: "gone" | "incomplete" | "failed" | "language"; detail: string } | null;
}
