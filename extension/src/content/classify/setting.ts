// How blocks are set on the page, compared with most of its text: in which elements, and what these look like.
import { type Container, lineBoxOf, outerOf } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import { endsSentence } from "../blocks/text.js";
import { attributeOf, findIn } from "../own.js";
import { Pace } from "../walk.js";
import { areBeside, Boxes, ramp } from "./boxes.js";
import { isOpener } from "./openers.js";
import { Tally } from "./tally.js";
import type { Features } from "./weights.js";

/** Elements within a text: it goes on around them. */
const IN_TEXT = new Set("LI UL OL DL DT DD BLOCKQUOTE FIGURE FIGCAPTION".split(" "));
const IN_TABLE = new Set("TABLE CAPTION THEAD TBODY TFOOT TR TD TH".split(" "));
const CONTROLS = "input, button, select, textarea, [role=button]";
/** Edges that differ by less are the same. */
const EDGE_STEP_PX = 24;
const TAGS_MAX = 40;
const CLASS_CHARS_MAX = 300;
/** Of the page's text: what holds more is no box in it. */
const BOX_SHARE_MAX = 0.4;
/** What is set like so much of the text is set like the text. */
const KIN_SHARE = 0.5;
/** Where no more is set alike, the page has no setting of its own. */
const KIN_SHARE_MIN = 0.1;
/** A block that is narrower than its element by more has edges of its own. */
const NARROW_MAX = 0.7;
/** Of the text that is set alike most, its core is what is set like so much. */
const CORE_SHARE_MIN = 0.25;
/** Of a page with less text its setting tells nothing, and all that it can of one with more. */
const [MASS_MIN, MASS_MAX] = [300, 900];
const LABEL_WEIGHT = 0.25;
const LINKED_MIN = 0.9;

/** Of a page's text, how much stands in boxes, in cards, and beside something to press or follow. */
interface Shares {
  boxed: number;
  card: number;
  action: number;
}

/** The settings of a page's blocks. */
export class Settings {
  /** By setting: how much text is set so. In one the elements' classes count too. */
  readonly #kin = new Tally<string>();
  readonly #namedKin = new Tally<string>();
  readonly #aligns = new Tally<string>();
  readonly #paths = new Map<LiveBlock, string>();
  readonly #boxes = new Boxes();
  readonly #actions = new Map<Container, boolean>();
  /** Elements that hold a block that is a link or a control. */
  readonly #linking = new Set<Container>();
  /** The block elements in each element that hold blocks, in their order, and the place of each. */
  readonly #children = new Map<Container | null, Container[]>();
  readonly #places = new Map<Container, number>();
  #mass = 1;
  readonly #shares: Shares = { boxed: 0, card: 0, action: 0 };

  static async of(blocks: readonly LiveBlock[]): Promise<Settings> {
    const pace = new Pace();
    const settings = new Settings();
    for (const block of blocks) {
      settings.#place(block);
      if (pace.isDue) await pace.pause();
    }
    for (const block of blocks) {
      settings.#weigh(block);
      if (pace.isDue) await pace.pause();
    }
    return settings;
  }

  #place(block: LiveBlock): void {
    this.#mass += massOf(block);
    if (block.linked > LINKED_MIN || block.isControl)
      for (let at: Container | null = block.container; at && !this.#linking.has(at); at = at.parent)
        this.#linking.add(at);
    for (let at: Container | null = block.container; at && !this.#places.has(at); at = at.parent) {
      if (!at.isBlock) continue;
      const siblings = this.#siblings(at);
      this.#children.set(outerOf(at), siblings);
      this.#places.set(at, siblings.push(at) - 1);
    }
  }

  /** When all blocks are in place. */
  #weigh(block: LiveBlock): void {
    const mass = massOf(block);
    if (mass === 0) return;
    this.#kin.add(this.#path(block), "", mass);
    this.#namedKin.add(this.#namedPath(block), "", mass);
    this.#aligns.add(block.align, block.align, mass);
    const share = mass / this.#mass;
    if (this.#isBoxed(block)) this.#shares.boxed += share;
    if (this.#isCard(block)) this.#shares.card += share;
    if (this.#hasAction(block)) this.#shares.action += share;
  }

  /** True for sentences that are set like much of the page's text. */
  isCore(block: LiveBlock): boolean {
    if (!block.isProse && !(endsSentence(block.text) && block.linked < 0.5)) return false;
    const least = Math.max(this.#kin.largest * CORE_SHARE_MIN, this.#mass * KIN_SHARE_MIN);
    return block.kind !== "heading" && this.#kin.sum(this.#path(block)) > least;
  }

  /** Where all of the text stands in boxes, a box tells nothing; nor does it on a page with little text. */
  of(block: LiveBlock): Required<Pick<Features, "unlike" | "boxed" | "card" | "centered" | "action">> {
    if (isOpener(block)) return { unlike: 0, boxed: 0, card: 0, centered: 0, action: 0 };
    const { boxed, card, action } = this.#shares;
    const trust = ramp(this.#mass, MASS_MIN, MASS_MAX) * ramp(this.#kin.largest / this.#mass, KIN_SHARE_MIN, KIN_SHARE);
    const against = (holds: boolean, share: number): number => (holds ? (1 - share) * trust : 0);
    const kin = Math.min(1, this.#namedKin.sum(this.#namedPath(block)) / this.#mass / KIN_SHARE);
    return {
      unlike: (1 - kin) * trust,
      boxed: against(this.#isBoxed(block), boxed),
      card: against(this.#isCard(block), card),
      centered: against(block.align.includes("center") && block.align !== this.#aligns.most(), 0),
      action: against(this.#hasAction(block), action),
    };
  }

  /** The element in which a block is one of several. */
  #holder({ container, kind }: LiveBlock): Container {
    let at = lineBoxOf(container).parent ?? container;
    const isWithin = ({ tag, isBlock }: Container): boolean =>
      !isBlock || IN_TEXT.has(tag) || (kind === "table" && IN_TABLE.has(tag));
    while (at.parent && isWithin(at)) at = at.parent;
    return at;
  }

  /** The same for blocks that are set alike: the elements around them, their edges and their letters. */
  #path(block: LiveBlock): string {
    const known = this.#paths.get(block);
    if (known !== undefined) return known;
    const holder = this.#holder(block);
    const { left, right } = this.#boxes.of(holder);
    const tags: string[] = [];
    for (let at: Container | null = holder; at && tags.length < TAGS_MAX; at = at.parent) tags.push(at.tag);
    const width = block.sides[1] - block.sides[0];
    const own = block.kind === "paragraph" && width < (right - left) * NARROW_MAX ? block.sides : [];
    const edges = [left, right, ...own].map((edge) => Math.round(edge / EDGE_STEP_PX));
    const path = [holder.depth, ...tags, ...edges, block.size, block.align, block.color].join(" ");
    this.#paths.set(block, path);
    return path;
  }

  #namedPath(block: LiveBlock): string {
    const names = attributeOf(this.#holder(block).element, "class") ?? "";
    return `${this.#path(block)} ${names.slice(0, CLASS_CHARS_MAX)}`;
  }

  #isSmall({ chars, linked }: Container): boolean {
    return chars - linked <= this.#mass * BOX_SHARE_MAX;
  }

  /** It stands in a box with a frame or a ground of its own. */
  #isBoxed({ container, kind }: LiveBlock): boolean {
    const isOwn = ({ tag }: Container): boolean =>
      (kind === "table" && IN_TABLE.has(tag)) || (kind === "code" && tag === "PRE");
    for (let at: Container | null = lineBoxOf(container); at?.parent && this.#isSmall(at); at = at.parent)
      if (at.isBlock && !isOwn(at) && this.#boxes.hasFrame(at)) return true;
    return false;
  }

  /** It stands in one of several small boxes side by side. */
  #isCard({ container, kind }: LiveBlock): boolean {
    if (kind === "table") return false;
    for (let at: Container | null = lineBoxOf(container); at?.parent && this.#isSmall(at); at = at.parent) {
      // A label and its value stand side by side as well.
      if (!at.isBlock || (at.blocks < 2 && at.prose === 0)) continue;
      const siblings = this.#siblings(at);
      const place = this.#places.get(at) ?? 0;
      for (const other of [siblings[place - 1], siblings[place + 1]])
        if (other && this.#isSmall(other) && areBeside(this.#boxes.of(at), this.#boxes.of(other))) return true;
    }
    return false;
  }

  #siblings(container: Container): Container[] {
    return this.#children.get(outerOf(container)) ?? [];
  }

  /** There is something to press or to follow in the small box around it. */
  #hasAction({ container, kind }: LiveBlock): boolean {
    const box = lineBoxOf(container).parent;
    if (!box || kind === "table" || kind === "listItem" || box.chars > this.#mass * BOX_SHARE_MAX) return false;
    const known = this.#actions.get(box);
    if (known !== undefined) return known;
    const found = this.#linking.has(box) || findIn(box.element, CONTROLS) !== null;
    this.#actions.set(box, found);
    return found;
  }
}

/** How much a block counts for what the text of the page looks like. */
const massOf = ({ text, linked, isProse, isControl, kind }: LiveBlock): number =>
  isControl || kind === "heading" ? 0 : text.length * (1 - linked) * (isProse ? 1 : LABEL_WEIGHT);
