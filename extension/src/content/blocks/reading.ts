// What is read of a page, before it is judged.
import { page } from "../own.js";
import type { Sight } from "../sight/sight.js";
import { walk } from "../walk.js";
import type { LiveBlock } from "./draft.js";
import type { Elsewhere } from "./elsewhere.js";
import { Reader } from "./reader.js";
import type { Closed } from "./sections.js";
import { visualOrder } from "./visual-order.js";

/** What is read of a page. */
export interface Reading {
  readonly blocks: LiveBlock[];
  readonly elsewhere: Elsewhere;
  readonly closed: readonly Closed[];
}

/** Reads the text blocks of what is seen. `media`: takes the videos and audios that are seen. */
export async function readBlocks(sight: Sight, media: Element[] = []): Promise<Reading> {
  const reader = new Reader(sight, media);
  await walk(page.root(), reader, visualOrder(sight));
  reader.flush();
  return reader;
}
