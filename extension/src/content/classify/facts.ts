// Short lines that say something of what the page is about: prices, ratings, rows of facts, dates of versions. Their words
// and their setting tell too little; they are read for where they stand.
import type { Container } from "../blocks/containers.js";
import { Pace } from "../walk.js";
import { labels, lists, versions } from "./fact-lines.js";
import { boxes, rows } from "./fact-rows.js";
import { besideTitle, cards, plans } from "./fact-values.js";
import type { PageFacts } from "./features.js";
import type { Judged } from "./judged.js";
import { Subject } from "./subject.js";

/** Blocks between two looks at the clock. */
const LOOK_EVERY = 16;

/** Reads what holds facts of the page's subject. Gives the boxes whose headings are read with what they hold. */
export async function readFacts(judged: readonly Judged[], facts: PageFacts): Promise<ReadonlySet<Container>> {
  const pace = new Pace();
  const page = new Subject(judged, facts);
  const steps = [(of: Subject) => of.survey(), rows, besideTitle, plans, cards, boxes, lists, versions, labels];
  let count = 0;
  for (const step of steps)
    for (const _ of step(page)) if (++count % LOOK_EVERY === 0 && pace.isDue) await pace.pause();
  return page.found;
}
