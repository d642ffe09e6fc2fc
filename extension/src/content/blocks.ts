import type { Block, BlockKind } from "@pith/web";
import { Cleaner } from "./clean.js";
import { isBlock, isFurniture, whatIsSeen } from "./visible.js";
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

/** Reads the text blocks of what is rendered under `root`. `takes` says which elements' own text counts. */
export async function readBlocks(root: Node, takes: (element: Element) => boolean): Promise<LiveBlock[]> {
  const reader = new Reader(takes);
  await walk(root, reader);
  reader.flush();
  return reader.blocks;
}

class Reader {
  readonly blocks: LiveBlock[] = [];
  readonly #takes: (element: Element) => boolean;
  #cleaner = new Cleaner<Text>();
  #linked = 0;
  #kind: BlockKind = "paragraph";
  #breaks = 0;
  readonly #open: { kind: BlockKind | null; block: boolean; link: boolean; takes: boolean }[] = [];

  constructor(takes: (element: Element) => boolean) {
    this.#takes = takes;
  }

  enter(node: Node): boolean {
    if (node instanceof Text) {
      this.#text(node);
      return false;
    }
    if (!(node instanceof Element)) return true;
    if (node.tagName === "BR") {
      this.#break();
      return false;
    }
    if (this.blocks.length >= BLOCKS_MAX || isFurniture(node)) return false;
    const style = getComputedStyle(node);
    const seen = whatIsSeen(node, style);
    if (seen === "nothing") return false;
    const block = isBlock(style);
    if (block) this.flush();
    const kind = node.getAttribute("role") === "heading" ? "heading" : (KINDS[node.tagName] ?? null);
    this.#open.push({ kind, block, link: node.tagName === "A", takes: seen === "all" && this.#takes(node) });
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
    if (this.#isPlainText()) return this.#plain(node);
    this.#take(node, node.data);
  }

  #take(node: Text, data: string, from = 0): void {
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
  #plain(node: Text): void {
    let from = 0;
    for (const part of node.data.split(/(\n[^\S\n]*\n\s*)/)) {
      if (/^\n[^\S\n]*\n/.test(part)) this.flush();
      else this.#take(node, part, from);
      from += part.length;
    }
  }

  #isPlainText(): boolean {
    return document.contentType === "text/plain";
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
