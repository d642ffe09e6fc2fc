// The lines of one text: where they stand, and which of them are seen.
import { clean } from "../clean.js";
import type { Pace } from "../walk.js";
import type { Aside } from "./aside.js";
import { type Frame, SLOT_MIN_PX, toFrame } from "./frames.js";
import { type Box, height, intersect, NOWHERE, type Point, width } from "./geometry.js";
import { hasNoGlyphs } from "./glyphs.js";
import type { Judge } from "./judge.js";
import type { Look } from "./look.js";
import { isTurned } from "./plane.js";

/** A part of a text node's data. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** Of a line's thickness: less than this is not read. */
const LINE_SHARE_MIN = 0.4;
/** Of a line's thickness: letters closer than this lie on each other. */
const ADVANCE_MIN = 0.1;
/** Lines of one text that are looked at closely. */
const LINES_MAX = 24;
/** Where on a line: at both ends and between. */
const MIDDLE = 0.5;
const SPOTS = [0.1, MIDDLE, 0.9];
/** Pieces that a text which is seen in part is cut into. */
const PIECES_MAX = 4_000;
/** Characters whose boxes are asked for at once. */
const STRETCH_CHARS = 8_000;
const PIECE_CHARS_MAX = 16;

export class TextLook {
  readonly #node: Text;
  readonly #parent: Look;
  readonly #judge: Judge;
  readonly #isVertical: boolean;
  /** The box of its first line, in its frame. */
  #first = NOWHERE;
  /** Nobody can tell whether it is seen, or all of it. */
  isUnsure: boolean;

  constructor(node: Text, parent: Look, judge: Judge) {
    this.#node = node;
    this.#parent = parent;
    this.#judge = judge;
    this.isUnsure = judge.isUnsure || hasNoGlyphs(node.data, parent.style);
    this.#isVertical = !parent.style.writingMode.startsWith("horizontal");
  }

  /** Where it stands in what scrolls. */
  get below(): Pick<Aside, "frame" | "top_px" | "bottom_px"> {
    return { frame: this.#parent.inner.flow.frame, top_px: this.#first.top, bottom_px: this.#first.bottom };
  }

  /** From where to where the text stands beside the window, on either side, in the document. */
  aside(document: Frame): { from_px: number; to_px: number } {
    let { frame } = this.#parent.inner.flow;
    let box = this.#first;
    for (; frame !== document && frame.parent; frame = frame.parent) box = frame.port;
    const { left, right } = box;
    return { from_px: Math.max(left - innerWidth, -right), to_px: Math.max(right - innerWidth, -left) };
  }

  #reads(at: Point, asks: boolean): boolean {
    const verdict = this.#judge.reads(at, asks);
    if (verdict === "unsure") this.isUnsure = true;
    return verdict !== "hidden";
  }

  async runs(pace: Pace): Promise<readonly Run[]> {
    if (this.#judge.isBlank) return [];
    const { data } = this.#node;
    const lines = await this.#lines(pace);
    if (!lines[0] || this.#isPacked(lines)) return [];
    this.#first = toFrame(lines[0], this.#parent.inner.flow.frame);
    if (pace.isDue) await pace.pause();
    const shown = lines.map((line) => this.#shows(line));
    if (!shown.includes(true)) return [];
    const step = Math.max(1, lines.length / LINES_MAX);
    let [all, none] = [!shown.includes(false), true];
    for (let at = 0; at < lines.length; at += step) {
      const line = lines[Math.floor(at)];
      if (!line || !shown[Math.floor(at)]) continue;
      for (const spot of SPOTS) {
        if (this.#reads(this.#pointOn(line, spot), spot === MIDDLE)) none = false;
        else all = false;
      }
    }
    if (pace.isDue) await pace.pause();
    return all ? [{ start: 0, end: data.length }] : none ? [] : this.#parts(pace);
  }

  /** Where a part of the text is seen: word by word. */
  async #parts(pace: Pace): Promise<readonly Run[]> {
    const { data } = this.#node;
    const piece_chars = Math.max(PIECE_CHARS_MAX, Math.ceil(data.length / PIECES_MAX));
    const found: { start: number; end: number }[] = [];
    const isRead = (box: Box): boolean => this.#shows(box) && this.#reads(this.#pointOn(box, MIDDLE), true);
    for (const { 0: piece, index } of data.matchAll(new RegExp(`\\s*\\S{1,${piece_chars}}|\\s+$`, "g"))) {
      const end = index + piece.length;
      const start = end - piece.trimStart().length;
      const boxes = this.#boxes(start, end);
      if (boxes.length > 0 && boxes.every(isRead)) {
        const last = found.at(-1);
        if (last?.end === index) last.end = end;
        else found.push({ start, end });
      }
      if (pace.isDue) await pace.pause();
    }
    return found;
  }

  /** The boxes of all lines, some of them in two parts. */
  async #lines(pace: Pace): Promise<Box[]> {
    const { length } = this.#node;
    if (length <= STRETCH_CHARS) return this.#boxes(0, length);
    const found: Box[] = [];
    for (let at = 0; at < length; at += STRETCH_CHARS) {
      for (const box of this.#boxes(at, Math.min(length, at + STRETCH_CHARS))) found.push(box);
      if (pace.isDue) await pace.pause();
    }
    return found;
  }

  #boxes(start: number, end: number): Box[] {
    const range = new Range();
    range.setStart(this.#node, start);
    range.setEnd(this.#node, end);
    return [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  }

  #thickness(box: Box): number {
    return this.#sizes(box)[1];
  }

  #pointOn(box: Box, share: number): Point {
    const { left, top } = box;
    const [x, y] = this.#isVertical ? [0.5, share] : [share, 0.5];
    return { x: left + width(box) * x, y: top + height(box) * y };
  }

  /** True where enough of a line's thickness is within what is shown. */
  #shows(line: Box): boolean {
    const { frame, clip } = this.#parent.inner.flow;
    const rest = intersect(toFrame(line, frame), clip);
    const thickness = this.#thickness(line);
    const isSeen = thickness >= SLOT_MIN_PX && width(rest) > 0 && height(rest) > 0;
    return isSeen && this.#thickness(rest) >= thickness * LINE_SHARE_MIN;
  }

  /** True where letters lie on each other. */
  #isPacked(lines: readonly Box[]): boolean {
    // A turned line may run either way.
    const isVague = isTurned(this.#parent.inner.effects.plane);
    const longestFirst = (line: Box): number[] => [width(line), height(line)].sort((a, b) => b - a);
    const sizes = lines.map((line) => (isVague ? longestFirst(line) : this.#sizes(line)));
    const advance_px = sizes.reduce((sum, [length = 0]) => sum + length, 0);
    const least_px = Math.max(1, (sizes[0]?.[1] ?? 0) * ADVANCE_MIN);
    return advance_px < this.#node.length * least_px && advance_px < clean(this.#node.data).length * least_px;
  }

  /** Length and thickness of a line. */
  #sizes(line: Box): [number, number] {
    return this.#isVertical ? [height(line), width(line)] : [width(line), height(line)];
  }
}
