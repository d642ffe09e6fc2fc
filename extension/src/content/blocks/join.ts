import type { LiveBlock } from "./draft.js";
import { common } from "./containers.js";
import { endsSentence } from "./text.js";

/** Longer code is an example of its own. */
const CODE_CHARS_MAX = 160;
const CODE_LINES_MAX = 3;

/** Joins short code, and a formula, to the sentence that leads to it and would end nowhere without it. */
export function joinCode(blocks: readonly LiveBlock[]): LiveBlock[] {
  return blocks.flatMap((block, at) => {
    const [before, after] = [blocks[at - 1], blocks[at + 1]];
    if (before && leadsTo(before, block)) return [];
    return after && leadsTo(block, after) ? [join(block, after)] : [block];
  });
}

const leadsTo = ({ kind, text }: LiveBlock, code: LiveBlock): boolean =>
  (code.kind === "code" || code.isFormula) &&
  code.text.replace(/\s+/g, " ").length <= CODE_CHARS_MAX &&
  code.text.split("\n").length <= CODE_LINES_MAX &&
  (kind === "paragraph" || kind === "listItem") &&
  (/[:：]\W*$/.test(text) || !endsSentence(text));

function join(lead: LiveBlock, code: LiveBlock): LiveBlock {
  const [node, offset] = [code.nodes[0], code.offsets[0]];
  if (!node || offset === undefined) return lead;
  // In a sentence code has one line.
  const kept = code.text.split("").flatMap((unit, at, units) => (isSpare(unit, units[at - 1]) ? [] : [at]));
  return {
    ...lead,
    text: `${lead.text} ${kept.map((at) => code.text.charAt(at).replace("\n", " ")).join("")}`,
    nodes: [...lead.nodes, node, ...kept.map((at) => code.nodes[at]!)],
    offsets: [...lead.offsets, offset, ...kept.map((at) => code.offsets[at]!)],
    container: common(lead.container, code.container),
  };
}

/** White space behind white space. */
const isSpare = (unit: string, before: string | undefined): boolean => /\s/.test(unit) && /\s/.test(before ?? "");
