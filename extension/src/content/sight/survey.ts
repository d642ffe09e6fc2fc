// Goes over the page once: what each element is to the eye, what is painted where, and which texts there are.
import { isUnread } from "../furniture.js";
import { boxOf, isElement, isText, page, tagOf } from "../own.js";
import { walk } from "../walk.js";
import { type Color, over } from "./color.js";
import { documentFrame, type Frame, toFrame, windowFrame } from "./frames.js";
import { type Box, EVERYWHERE } from "./geometry.js";
import { type Look, lookAt, outermost } from "./look.js";
import { fillOf } from "./fill.js";
import type { Parts } from "./letters.js";
import { settle } from "./settle.js";
import { type Unseen, UnseenParts } from "./unseen.js";
import { canvasColor, isPicture, paint, tinted } from "./paint.js";
import { markerWords, paintPseudo, type Side } from "./pseudo.js";

/** Of the window: a canvas that takes more is what the page shows. */
const CANVAS_SHARE_MIN = 0.2;
/** A bound for hostile pages: what comes after so many elements is not read. */
const ELEMENTS_MAX = 500_000;

export interface Survey {
  readonly looks: ReadonlyMap<Element, Look>;
  /** Every text that may be read, with its parent. */
  readonly texts: readonly { readonly node: Text; readonly parent: Look }[];
  readonly document: Frame;
  readonly parts: Parts;
  /** Where there are pictures. */
  readonly pictures: readonly { readonly frame: Frame; readonly box: Box }[];
  /** A modal dialog is open: nothing else can be hit. */
  readonly hasModal: boolean;
  /** The colors under everything; null where that is a picture. */
  readonly canvas: readonly Color[] | null;
  readonly unseen: Unseen;
  /** Words that the style puts before and after elements; null where nobody can tell them. */
  readonly generated: readonly Generated[];
  /** A canvas takes much of the window. */
  readonly isDrawn: boolean;
}

export interface Generated {
  readonly look: Look;
  readonly side: Side;
  readonly words: string | null;
}

export async function survey(): Promise<Survey> {
  await settle();
  const surveyor = new Surveyor();
  await walk(page.root(), surveyor);
  return surveyor;
}

class Surveyor implements Survey {
  readonly looks = new Map<Element, Look>();
  readonly texts: { node: Text; parent: Look }[] = [];
  readonly document: Frame;
  readonly hasModal = page.find(":modal") !== null;
  canvas: readonly Color[] | null = null;
  readonly unseen = new UnseenParts();
  readonly generated: Generated[] = [];
  readonly parts: Parts = new Map();
  readonly pictures: { frame: Frame; box: Box }[] = [];
  isDrawn = false;
  readonly #open: Look[] = [];
  readonly #outermost;
  /** How many of the open elements are no part of the page's text. */
  #furniture = 0;
  #order = 0;
  /** The background of the root, or else of the body, is that of the whole canvas. */
  #hasBackdrop = false;

  constructor() {
    const window = windowFrame();
    this.document = documentFrame(window);
    this.#outermost = outermost(window, this.document);
  }

  enter(node: Node): boolean {
    const parent = this.#open.at(-1);
    if (isText(node)) {
      if (parent?.seen === "all" && this.#furniture === 0 && /\S/.test(node.data)) this.texts.push({ node, parent });
      return false;
    }
    if (!isElement(node)) return true;
    if (this.looks.size >= ELEMENTS_MAX) return false;
    const look = lookAt(node, parent?.inner ?? this.#outermost, ++this.#order);
    this.looks.set(node, look);
    if (look.seen === "nothing" || tagOf(node) === "BR") return false;
    if (look.seen === "all" && look.style.display !== "contents" && !this.#isBackdrop(look)) paint(look);
    if (tagOf(node) === "CANVAS" && isLarge(node)) this.isDrawn = true;
    if (isPicture(node)) {
      const { frame } = look.place;
      this.pictures.push({ frame, box: toFrame(boxOf(node), frame) });
      return false;
    }
    this.unseen.enter(look, parent);
    this.#generate(look, "::before");
    this.#open.push(look);
    if (this.#furniture > 0 || isUnread(node)) this.#furniture++;
    return true;
  }

  leave(node: Node): void {
    const look = isElement(node) ? this.#open.pop() : undefined;
    if (!look) return;
    this.#generate(look, "::after");
    this.unseen.leave(look);
    if (this.#furniture > 0) this.#furniture--;
  }

  #generate(look: Look, side: Side): void {
    const marker = side === "::before" ? markerWords(look) : "";
    const shown = paintPseudo(look, side, ++this.#order);
    const words = marker === null || shown === null ? null : marker + shown;
    if (words !== "" && this.#furniture === 0 && look.seen === "all") this.generated.push({ look, side, words });
  }

  #isBackdrop({ element, style, inner }: Look): boolean {
    const isRoot = element === page.root();
    if (!isRoot && (element !== page.body() || this.#hasBackdrop)) return false;
    const { tints } = inner.effects;
    // Filters of the root also act on the canvas.
    const under = canvasColor(getComputedStyle(page.root()));
    const fill = fillOf(style, EVERYWHERE);
    this.#hasBackdrop = fill?.length !== 0;
    const colors = this.#hasBackdrop ? fill?.map((color) => over(color, under)) : [under];
    this.canvas = colors?.map((color) => (isRoot ? tinted(color, tints) : color)) ?? null;
    return this.#hasBackdrop;
  }
}

function isLarge(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width * height > innerWidth * innerHeight * CANVAS_SHARE_MIN;
}
