// What is known of a block, as numbers between 0 and 1 (the vote: -1 to 1).
import type { BlockKind } from "@pith/web";
import type { Container } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import { endsSentence } from "../blocks/text.js";
import { Pace } from "../walk.js";
import { besideColumn, ramp, smallness } from "./boxes.js";
import { groupAround } from "./group.js";
import { type LineKind, lineOf } from "./line-of.js";
import { type Elsewhere, elsewhereOf } from "./elsewhere.js";
import { Lines } from "./lines.js";
import { isOpener } from "./openers.js";
import { isDefinition, type Outline, outlineOf } from "./outline.js";
import { siteTalk } from "./phrases.js";
import { Settings } from "./setting.js";
import { Tally } from "./tally.js";
import type { Feature, Features } from "./weights.js";
import type { Vote } from "./vote.js";
import { type Zone, Zones } from "./zones.js";

const [WORDS_MANY, COMMAS_MANY, REPEATED_MIN, REPEATED_CHARS_MAX] = [40, 3, 3, 60];
/** Of the page's text, an element that the page calls its main part must hold so much to be believed. */
const MAIN_SHARE_MIN = 0.3;
/** Of the prose, comments must be so much to be what the page is about. */
const [THREAD_SHARE_MIN, INDEX_SHARE_MIN] = [0.6, 0.5];
/** Of the prose, Readability must have kept so much to be believed where it leaves a block out. */
const VOTE_SHARE_MIN = 0.3;
/** Of the text, so much talk about the site is what the page is about. */
const [TOPIC_SHARE_MIN, TOPIC_SHARE_MAX] = [0.25, 0.45];
const COLUMN_STEP_PX = 24;
/** What a text may end with. */
const IN_TEXT: ReadonlySet<BlockKind> = new Set(["table", "code"]);

/** The whole page, as far as features of its blocks depend on it. */
export class PageFacts {
  readonly #zones: Zones;
  readonly lines: Lines;
  readonly #chars: number;
  readonly #settings: Settings;
  readonly outline: Outline;
  readonly #vote: Vote;
  readonly #elsewhere: Elsewhere;
  /** Short texts, and how often each stands on the page. */
  readonly #counts = new Map<string, number>();
  /** Left and right edge of the column, and size of the letters, of most of the prose. */
  #column: readonly [number, number] | null = null;
  #size = 0;
  #hasMain = false;
  #hasArticle = false;
  /** What is called comments is most of the prose: it is the text of the page. */
  #isThread = false;
  /** Most of the prose stands under headings that are links, as in what a search has found. */
  isIndex = false;
  /** How far the text of the page is itself about a site, as in terms of use. */
  #siteTopic = 0;
  /** How far Readability is believed where it leaves a block out. */
  #trust = 0;

  private constructor(blocks: readonly LiveBlock[], [zones, lines, settings]: [Zones, Lines, Settings], vote: Vote) {
    this.#chars = blocks.reduce((sum, { text }) => sum + text.length, 0);
    this.#zones = zones;
    this.lines = lines;
    this.#settings = settings;
    this.outline = outlineOf(blocks, (block) => settings.isCore(block));
    this.#vote = vote;
    this.#elsewhere = elsewhereOf(blocks, this.outline.teasers, this.outline.linkedHeads, vote);
  }

  static async of(blocks: readonly LiveBlock[], language: string | null, vote: Vote): Promise<PageFacts> {
    const lines = await Lines.of(language);
    await new Pace().pause();
    const settings = await Settings.of(blocks);
    const zones = await Zones.of(blocks);
    const facts = new PageFacts(blocks, [zones, lines, settings], vote);
    await facts.#survey(blocks);
    return facts;
  }

  async #survey(blocks: readonly LiveBlock[]): Promise<void> {
    const pace = new Pace();
    const columns = new Tally<readonly [number, number]>();
    const sizes = new Tally<number>();
    let [main, article, prose, voted] = [0, 0, 0, 0];
    let [comments, teasers, core, talk] = [0, 0, 0, 0];
    for (const [at, block] of blocks.entries()) {
      const { text, sides, size } = block;
      if (text.length <= REPEATED_CHARS_MAX) this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
      const { isMain, isArticle } = this.zoneOf(block);
      if (isMain) main += text.length;
      if (isArticle) article += text.length;
      if (this.#settings.isCore(block)) {
        core += text.length;
        if (siteTalk(text, block.words) > 0) talk += text.length;
      }
      if (block.isProse) {
        prose += text.length;
        if (this.outline.teasers[at]) teasers += text.length;
        if (this.#isComment(block, at)) comments += text.length;
        voted += text.length * (this.#vote?.(block) ?? 0);
        columns.add(sides.map((side) => Math.round(side / COLUMN_STEP_PX)).join(" "), sides, text.length);
        sizes.add(String(size), size, text.length);
      }
      if (pace.isDue) await pace.pause();
    }
    this.#siteTopic = ramp(talk / Math.max(1, core), TOPIC_SHARE_MIN, TOPIC_SHARE_MAX);
    this.#isThread = comments > prose * THREAD_SHARE_MIN;
    this.isIndex = teasers > prose * INDEX_SHARE_MIN && !this.#elsewhere.hasArticle;
    this.#hasMain = main > this.#chars * MAIN_SHARE_MIN;
    this.#hasArticle = article > this.#chars * MAIN_SHARE_MIN;
    this.#column = columns.most() ?? null;
    this.#size = sizes.most() ?? 0;
    this.#trust = prose > 0 ? Math.min(1, voted / prose / VOTE_SHARE_MIN) : 0;
  }

  #isComment(block: LiveBlock, at: number): boolean {
    return this.zoneOf(block).parts.has("comments") || this.outline.sections[at] === "comments";
  }

  zoneOf(block: LiveBlock): Zone {
    return this.#zones.of(block.container);
  }

  lineOf(block: LiveBlock): LineKind | null {
    return lineOf(block, this.lines);
  }

  /** The innermost element around a block that holds several, unless it is about the whole page. */
  groupOf = ({ container }: LiveBlock): Container => groupAround(container, this.#chars);

  /** What the first round knows of the block `at`. */
  of(block: LiveBlock, at: number): Features {
    const { isInside: isInBody, title, first, last, sections, teasers, opened } = this.outline;
    // What stands between the title and the text belongs to both.
    const isOpening = title >= 0 && at > title && at < first;
    const { kind, text, linked, words } = block;
    const zone = this.zoneOf(block);
    const isMain = (this.#hasMain && zone.isMain) || (this.#hasArticle && zone.isArticle);
    const isInside = isOpening || isInBody(block.container);
    const besideText = besideColumn(block, this.#column);
    const setting = this.#settings.of(block);
    const vote = this.#vote ? this.#vote(block) * 2 - 1 : 0;
    const found: Record<Exclude<Feature, "group" | "around">, number> = {
      base: 1,
      words: Math.min(1, (words * (1 - linked)) / WORDS_MANY),
      sentence: flag(endsSentence(text)),
      commas: Math.min(1, (text.match(/[,;，、；،]/g)?.length ?? 0) / COMMAS_MANY) * (1 - linked),
      linked,
      onlyLink: flag(linked > 0.9),
      heading: flag(kind === "heading"),
      listItem: flag(kind === "listItem"),
      definition: flag(kind === "listItem" && isDefinition(block.container)) * (1 - linked),
      tableRow: flag(kind === "table"),
      code: flag(kind === "code" || block.isFormula),
      quote: flag(kind === "quote"),
      caption: flag(kind === "caption"),
      line: flag(this.lineOf(block) !== null),
      dated: flag((kind === "paragraph" || kind === "listItem") && this.lines.isDated(text)),
      siteTalk: siteTalk(text, words) * (1 - this.#siteTopic),
      control: flag(block.isControl),
      repeated: flag((this.#counts.get(text) ?? 0) >= REPEATED_MIN),
      navigation: flag(zone.parts.has("navigation")),
      // A box in the column of the text is a note to it, whatever it is called.
      sidebar: flag(zone.parts.has("sidebar")) * (isInside && besideText < 0.5 ? 0.2 : 1),
      footer: flag(zone.parts.has("footer")),
      header: flag(zone.parts.has("header")),
      notice: flag(zone.parts.has("notice")),
      advertisement: flag(zone.parts.has("advertisement")),
      share: flag(zone.parts.has("share")),
      related: flag(zone.parts.has("related")),
      form: flag(zone.parts.has("form")),
      // Facts in a list or table belong to the text, whatever it is called.
      byline: flag(zone.parts.has("byline") && kind !== "table" && !isDefinition(block.container)),
      notes: flag(zone.parts.has("notes")),
      comments: flag(zone.parts.has("comments") && !this.#isThread),
      content: flag(zone.parts.has("content")),
      main: flag(isMain),
      outsideMain: flag((this.#hasMain && !zone.isMain) || (!this.#hasMain && this.#hasArticle && !zone.isArticle)),
      besideText,
      underLeads: flag(sections[at] === "leads"),
      underNotes: flag(sections[at] === "notes"),
      underComments: flag(sections[at] === "comments" && !this.#isThread),
      teaser: flag(teasers[at] === true && !this.isIndex),
      elsewhere: flag(this.#elsewhere.holds(block)),
      opened: flag(opened[at] === true),
      outsideBody: flag(!isInside),
      amidText: flag(isInside && at >= Math.max(0, title) && at <= last),
      beforeTitle: flag(at < title),
      afterText: flag(last >= 0 && at > last) * (isMain || (isInside && vote > 0 && IN_TEXT.has(kind)) ? 0.3 : 1),
      smallType: kind === "code" || isOpener(block) ? 0 : smallness(block, this.#size),
      ...setting,
      boxed: setting.boxed * flag(!zone.parts.has("callout")),
      voteFor: Math.max(0, vote),
      voteAgainst: Math.max(0, -vote) * this.#trust,
    };
    return found;
  }
}

const flag = (is: boolean): number => (is ? 1 : 0);
