import type { LiveBlock } from "./draft.js";
import { common } from "./containers.js";
import { endsSentence } from "./text.js";

/** Longer code is an example of its own. */
const CODE_CHARS_MAX = 160;

/** Joins short code to the sentence that leads to it and would end nowhere without it. */
export function joinCode(blocks: readonly LiveBlock[]): LiveBlock[] {
  return blocks.flatMap((block, at) => {
    const [before, after] = [blocks[at - 1], blocks[at + 1]];
    if (before && leadsTo(before, block)) return [];
    return after && leadsTo(block, after) ? [join(block, after)] : [block];
  });
}

const leadsTo = ({ kind, text }: LiveBlock, code: LiveBlock): boolean =>
  code.kind === "code" &&
  code.text.length <= CODE_CHARS_MAX &&
  (kind === "paragraph" || kind === "listItem") &&
  (/[:：]\W*$/.test(text) || !endsSentence(text));

function join(lead: LiveBlock, code: LiveBlock): LiveBlock {
  const [node, offset] = [code.nodes[0], code.offsets[0]];
  if (!node || offset === undefined) return lead;
  return {
    ...lead,
    text: `${lead.text} ${code.text}`,
    nodes: [...lead.nodes, node, ...code.nodes],
    offsets: [...lead.offsets, offset, ...code.offsets],
    container: common(lead.container, code.container),
  };
}
