import { type Formula, formulaOf } from "../formulas/formula.js";
import { isIcon, isLineNumber, isMark, isUnread } from "../furniture.js";
import { isElement, isText, nextOf, tagOf } from "../own.js";
import { isBlock } from "../sight/look.js";
import type { Sight } from "../sight/sight.js";
import type { Visitor } from "../walk.js";
import { close, containerOf, type Container } from "./containers.js";
import type { LiveBlock } from "./draft.js";
import { Flows } from "./flow.js";
import { Parts } from "./parts.js";
import { Elsewhere } from "./elsewhere.js";
import { LabelRows } from "./label-rows.js";
import { type OnPlain, PlainText } from "./plain.js";
import { isHiddenRating, readRuns } from "./ratings.js";
import type { Reading } from "./reading.js";
import { type Closed, Sections } from "./sections.js";
import { isInSentence } from "./sentence-buttons.js";
import { Shifts } from "./shifts.js";
import { type StandIn, standInOf } from "./stand-ins.js";
import { holdsCode } from "./table-markup.js";
import { Tables } from "./tables.js";

/** Bounds for hostile pages. */
const [BLOCKS_MAX, BLOCK_CHARS_MAX, ELEMENTS_MAX] = [50_000, 12_000, 500_000];
const MEDIA = /^(?:VIDEO|AUDIO)$/;

/** Reads the blocks of a page while it is walked over; `flush` ends the last one. */
export class Reader implements Visitor, Reading {
  readonly elsewhere = new Elsewhere();
  readonly #sight: Sight;
  readonly #flows: Flows;
  readonly #rows: LabelRows;
  readonly #shifts: Shifts;
  readonly #sections: Sections;
  #here: Container | null = null;
  #elements = 0;
  #breaks = 0;
  readonly #parts = new Parts();
  readonly #plain: PlainText;
  /** The value to the label at hand. */
  #nextCell: Element | null = null;
  readonly #tables = new Tables((text, row) => this.#parts.takeCell(row, text, this.#here));
  readonly #media: Element[];

  constructor(sight: Sight, media: Element[]) {
    this.#sight = sight;
    this.#flows = new Flows(sight);
    this.#rows = new LabelRows(sight);
    this.#shifts = new Shifts(sight);
    this.#sections = new Sections(sight);
    this.#plain = new PlainText(sight);
    this.#media = media;
  }

  get blocks(): LiveBlock[] {
    return this.#parts.blocks;
  }

  get closed(): readonly Closed[] {
    return this.#sections.closed;
  }

  enter(node: Node): boolean | Iterator<void> {
    if (isText(node)) return this.#text(node);
    if (!isElement(node)) return true;
    if (tagOf(node) === "BR") return this.#break();
    const cell = this.#tables.placeOf(node);
    if (this.blocks.length >= BLOCKS_MAX || ++this.#elements > ELEMENTS_MAX) return false;
    const seen = this.#sight.of(node);
    if (seen === "all" && MEDIA.test(tagOf(node))) this.#media.push(node);
    const standIn = seen === "all" ? standInOf(node, this.#sight, this.#tables.isInRow) : null;
    if (standIn) return this.#standIn(node, standIn);
    const formula = formulaOf(node, this.#sight);
    if (formula) return this.#formula(formula);
    this.elsewhere.look(node, this.#sight);
    if (isUnread(node) || isMark(node) || seen === "nothing") return false;
    const style = this.#sight.styleOf(node);
    if (isIcon(node, style) || isLineNumber(node, style) || style.display === "ruby-text") return false;
    this.#begin(node, style);
    this.#tables.begin(node, cell, this.#parts.draft.text.length, () => this.flush());
    this.#parts.open(node, this.#sight, this.#here?.kind === "heading");
    this.#plain.begin(node);
    return true;
  }

  /** Parts a box from the text before it, as far as it stands apart. */
  #begin(node: Element, style: CSSStyleDeclaration): void {
    const begun = this.#flows.begin(node, style, this.#parts.draft.text);
    const flow = begun === "block" && isHiddenRating(node, style) ? "apart" : begun;
    if (this.#nextCell === node) this.#nextCell = null;
    else if (flow === "beside" && !this.#tables.isInRow) this.#parts.begin(node, "beside");
    else if (flow === "block" || flow === "beside") this.#boundary();
    else if (flow === "apart") this.#parts.draft.space();
    const isHead = !isInSentence(node, this.#sight) && this.#sections.isHead(node);
    if (isHead && flow !== "block") this.#boundary();
    const kind = isHead ? "heading" : holdsCode(node) ? "code" : null;
    this.#here = containerOf(node, this.#here, flow === "block" || flow === "beside" || isHead, kind);
    this.#shifts.begin(node, style, this.#parts.draft);
    this.#parts.say(this.#sight.said(node)?.["::before"], node, this.#here);
  }

  leave(node: Node): void {
    const here = this.#here;
    if (here?.element !== node) return;
    const { element } = here;
    this.#flows.leave(element);
    while (this.#parts.endsWith(element, "control", "struck")) this.#parts.end(this.flush);
    this.#parts.say(this.#sight.said(element)?.["::after"], element, here);
    this.#shifts.end(element, this.#parts.draft);
    const ended = this.#tables.end(element, this.#parts.draft.text);
    if (ended === "cell") this.#parts.draft.tab();
    else if (ended) this.#finish(this.#parts.draft.finish("table", false, this.#parts.is("struck"), ended.headers));
    else if (here.isBlock) this.#endBlock(element, here.parent);
    else if (this.#flows.end(element, this.#parts.draft)) this.#boundary();
    if (this.#parts.endsWith(element, "beside")) this.#parts.end(this.flush);
    this.#tables.close(element);
    this.#plain.end(element);
    close(here);
    this.#here = here.parent;
  }

  /** Stars and pictures of signs are read as what they stand for. */
  #standIn(element: Element, { text, isApart }: StandIn): false {
    if (isApart && isBlock(this.#sight.styleOf(element))) this.#boundary();
    else if (isApart) this.#parts.draft.space();
    if (this.#here) this.#parts.draft.take(element, text, 0, this.#here);
    if (isApart) this.#parts.draft.space();
    return false;
  }

  /** A label and its value, side by side, are cells of one row. */
  #endBlock(element: Element, outer: Container | null): void {
    const mayBe = !this.#isInLine() && !this.#isCode(outer) && this.#parts.draft.text !== "";
    if (!mayBe || !this.#rows.isRowWithNext(element)) return this.#boundary(outer);
    this.#parts.draft.cell();
    this.#nextCell = nextOf(element);
  }

  /** Takes a formula as one piece of its sentence. */
  #formula({ pieces }: Formula): false {
    if (!pieces) this.elsewhere.formulas++;
    else if (this.#here) this.#parts.draft.insert(pieces, this.#here);
    this.#breaks = 0;
    return false;
  }

  *#text(node: Text): Iterator<void> {
    const [boundary, cell] = [() => this.#boundary(null), () => this.#parts.draft.tab()];
    const on: OnPlain = { boundary, cell, line: () => this.#break(), take: (text, at) => this.#take(node, text, at) };
    let from = 0;
    for (const { start, end } of readRuns(node, this.#sight, this.#here)) {
      if (start > from) this.#parts.draft.space();
      if (this.#here) yield* this.#plain.pieces(node, start, end, this.#here, on);
      from = end;
    }
  }

  #take(node: Text, data: string, from: number): void {
    const here = this.#here;
    if (!here || !this.#parts.draft.take(node, data, from, here, this.#isCode(here))) return;
    this.#breaks = 0;
    if (this.#parts.draft.text.length > BLOCK_CHARS_MAX) this.#boundary(null);
  }

  /** One line break is white space, two part paragraphs. */
  #break(): false {
    if (this.#isCode(this.#here)) this.#parts.draft.line(true);
    else this.#parts.draft.break();
    if (++this.#breaks > 1) this.#boundary();
    return false;
  }

  #isCode = (here: Container | null): boolean => here !== null && this.#plain.isCode(here);

  /** In a row of a table, or in a box of one line, boxes part words only. */
  #isInLine = (): boolean => this.#tables.isInRow || this.#flows.isInLineBox;

  /** `outer`: the element in which one box ends and another begins. In code each has a line. */
  #boundary(outer = this.#here): void {
    if (this.#isCode(outer)) this.#parts.draft.line();
    else if (this.#isInLine()) this.#parts.draft.space();
    else this.flush();
  }

  /** Ends the block at hand. */
  flush = (): void => {
    const [isControl, isStruck] = [this.#parts.is("control"), this.#parts.is("struck")];
    this.#finish(this.#parts.draft.finish(this.#plain.isOpen ? this.#plain.kind : null, isControl, isStruck));
  };

  #finish(block: LiveBlock | null): void {
    this.#parts.finish(block);
    this.#breaks = 0;
  }
}
