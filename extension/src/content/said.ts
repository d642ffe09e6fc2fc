// What a page's text changes of what its head says.
import { lineBoxOf } from "./blocks/containers.js";
import type { LiveBlock } from "./blocks/draft.js";
import { levelOf } from "./classify/outline.js";
import { clean } from "./clean.js";
import { describes, type Metadata } from "./metadata.js";
import { innerTextOf, isHtml } from "./own.js";

export type Said = Partial<Pick<Metadata, "title" | "description">>;

/** The title as its heading is read, with powers, without readings; and no description where that tells of the site. */
export function saidOf(
  { title, description }: Metadata,
  blocks: readonly LiveBlock[],
  texts: readonly { readonly text: string }[],
): Said {
  const heading = blocks.find((block) => levelOf(block) === 1 && isTitle(block, title));
  const isForeign =
    description !== null &&
    !describes(
      description,
      texts.map(({ text }) => text),
    );
  return { ...(heading && { title: heading.text }), ...(isForeign && { description: null }) };
}

/** True for the heading that the title was taken from. */
function isTitle({ container }: LiveBlock, title: string): boolean {
  const { element } = lineBoxOf(container);
  return isHtml(element) && clean(innerTextOf(element)) === title;
}
