// The page of a megabyte: made when a test asks for it, the same every time, so that nothing of that size is kept in the repository.

const BYTES = 1_000_000;
const PEOPLE = ["the miller", "a weaver", "the abbot", "the ferryman", "a widow from the lower town", "the clerk", "a travelling smith", "the bell ringer"];
const DEEDS = ["repaired", "sold", "measured", "painted", "lost", "borrowed", "rebuilt", "counted"];
const THINGS = ["the east gate", "eleven sacks of barley", "the bridge over the Hay", "a boat with a red sail", "the well in the market", "two bells", "the dry wall", "the boundary stones"];
const REASONS = ["before the frost came", "because the river had risen", "against the advice of the council", "for the price of a cow", "as the charter demands", "in a single night", "to the joy of the children", "while the bishop was away"];

/** The whole document. Its answer to "Who found the silver clock?" stands nine tenths down. */
export function megabytePage(): string {
  const random = generator(20_260_101);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const parts = [HEAD];
  let bytes = HEAD.length;
  let year = 1203;
  let told = false;
  while (bytes < BYTES) {
    const sentences: string[] = [];
    for (let count = 4 + random(4); count > 0; count--) {
      sentences.push(`In the year ${year}, ${pick(PEOPLE)} ${pick(DEEDS)} ${pick(THINGS)} ${pick(REASONS)}, as leaf ${1 + random(9000)} of the chronicle tells.`);
    }
    if (!told && bytes > BYTES * 0.9) {
      told = true;
      sentences.push("In that summer the goose girl Tibba Marl found the silver clock of the abbot in the mud of the mill pond.");
    }
    const heading = random(12) === 0 ? `<h2>The year ${++year}</h2>\n` : "";
    const part = `${heading}<p>${sentences.join(" ")}</p>\n`;
    parts.push(part);
    bytes += part.length;
  }
  parts.push("</article></main></body></html>\n");
  return parts.join("");
}

const HEAD = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The long chronicle of Underhay</title></head>
<body><nav><h2>Chapters</h2><ul><li><a href="#">Beginning</a></li><li><a href="#">End</a></li></ul></nav>
<main><article><h1>The long chronicle of Underhay</h1>
<p>The town of Underhay keeps the longest chronicle of its country, written without a gap by its clerks since the year 1203. What follows is the whole of it, as it was read out in the market on every first Sunday.</p>
`;

/** Numbers below a bound, the same sequence for the same seed (mulberry32). */
function generator(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}
