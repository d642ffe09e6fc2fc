import type { Block, BlockKind } from "@pith/web";
import { Cleaner } from "./clean.js";
import { isFurniture } from "./furniture.js";
import { attributeOf, page, tagOf } from "./own.js";
import type { Sight } from "./sight/sight.js";
import { walk } from "./walk.js";

/** A block and the live text nodes that it came from. */
export interface LiveBlock extends Block {
  /** For each UTF-16 unit of `text`: its node, and the offset in that node's data. */
  readonly nodes: readonly Text[];
  readonly offsets: readonly number[];
  /** How much of the text stands in links, 0 to 1. */
  readonly linked: number;
}

/** A cell with more text than this is part of a layout, not of a table. */
const CELL_TEXT_MAX = 160;
/** A bound for hostile pages. */
const BLOCKS_MAX = 20_000;

const KINDS: Record<string, BlockKind> = {
  H1: "heading",
  H2: "heading",
  H3: "heading",
  H4: "heading",
  H5: "heading",
  H6: "heading",
  LI: "listItem",
  DT: "listItem",
  DD: "listItem",
  BLOCKQUOTE: "quote",
  PRE: "code",
  TD: "table",
  TH: "table",
  CAPTION: "caption",
  FIGCAPTION: "caption",
};
/** Where an element lies in several of these, the first one named decides. */
const RANK: readonly BlockKind[] = ["caption", "code", "heading", "table", "listItem", "quote"];

/** Reads the text blocks of what is seen. `takes` says which elements' own text counts. */
export async function readBlocks(sight: Sight, takes: (element: Element) => boolean): Promise<LiveBlock[]> {
  const reader = new Reader(sight, takes);
  await walk(page.root(), reader);
  reader.flush();
  return reader.blocks;
}

class Reader {
  readonly blocks: LiveBlock[] = [];
  readonly #sight: Sight;
  readonly #takes: (element: Element) => boolean;
  #cleaner = new Cleaner<Text>();
  #linked = 0;
  #kind: BlockKind = "paragraph";
  #breaks = 0;
  readonly #open: { kind: BlockKind | null; block: boolean; link: boolean; takes: boolean }[] = [];

  constructor(sight: Sight, takes: (element: Element) => boolean) {
    this.#sight = sight;
    this.#takes = takes;
  }

  enter(node: Node): boolean {
    if (node instanceof Text) {
      this.#text(node);
      return false;
    }
    if (!(node instanceof Element)) return true;
    if (tagOf(node) === "BR") {
      this.#break();
      return false;
    }
    if (this.blocks.length >= BLOCKS_MAX || isFurniture(node)) return false;
    if (this.#sight.of(node) === "nothing") return false;
    const block = this.#sight.isBlock(node);
    if (block) this.flush();
    const kind = attributeOf(node, "role") === "heading" ? "heading" : (KINDS[tagOf(node)] ?? null);
    this.#open.push({ kind, block, link: tagOf(node) === "A", takes: this.#takes(node) });
    return true;
  }

  leave(node: Node): void {
    if (!(node instanceof Element)) return;
    if (this.#open.at(-1)?.block) this.flush();
    this.#open.pop();
  }

  #text(node: Text): void {
    const here = this.#open.at(-1);
    if (!here?.takes) return;
    let from = 0;
    for (const { start, end } of this.#sight.runs(node)) {
      if (start > from) this.#cleaner.space();
      const data = node.data.slice(start, end);
      if (this.#isPlainText()) this.#plain(node, data, start);
      else this.#take(node, data, start);
      from = end;
    }
  }

  #take(node: Text, data: string, from: number): void {
    const { text } = this.#cleaner;
    this.#cleaner.add(data, node);
    for (let i = text.length; i < this.#cleaner.offsets.length; i++) this.#cleaner.offsets[i]! += from;
    const added = this.#cleaner.text.length - text.length;
    if (added === 0) return;
    this.#breaks = 0;
    if (text === "") this.#kind = this.#kindHere();
    if (this.#open.some(({ link }) => link)) this.#linked += added;
  }

  /** Plain text files come as one `pre`: blank lines part their paragraphs. */
  #plain(node: Text, data: string, at: number): void {
    let from = at;
    for (const part of data.split(/(\n[^\S\n]*\n\s*)/)) {
      if (/^\n[^\S\n]*\n/.test(part)) this.flush();
      else this.#take(node, part, from);
      from += part.length;
    }
  }

  #isPlainText(): boolean {
    return page.contentType() === "text/plain";
  }

  /** One line break is white space, two part paragraphs. */
  #break(): void {
    this.#cleaner.space();
    if (++this.#breaks >= 2) this.flush();
  }

  #kindHere(): BlockKind {
    if (this.#isPlainText()) return "paragraph";
    const kinds = this.#open.map(({ kind }) => kind);
    return RANK.find((one) => kinds.includes(one)) ?? "paragraph";
  }

  /** Ends the block at hand. */
  flush(): void {
    const { text, origins, offsets } = this.#cleaner;
    if (text) {
      const kind = this.#kind === "table" && text.length > CELL_TEXT_MAX ? "paragraph" : this.#kind;
      this.blocks.push({ kind, text, nodes: origins, offsets, linked: this.#linked / text.length });
    }
    this.#cleaner = new Cleaner();
    this.#linked = 0;
    this.#breaks = 0;
  }
}
