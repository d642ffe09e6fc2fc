// One page on the screen: its picture, and over it its text, which can be selected and marked.
import { type PDFDocumentProxy, type RenderTask, TextLayer } from "pdfjs-dist/legacy/build/pdf.mjs";
import { fillWith, h, set } from "../../ui/dom.js";
import { number as inWords, t } from "../../ui/words.js";
import type { Stretch } from "./find.js";
import { itemsOf } from "./reading.js";
import type { PageItems } from "./text/pieces.js";

/** Pixels of one picture: a larger page is drawn less sharply. */
const PIXELS_MAX = 12_000_000;

/** The size of a page in points. */
export interface Size {
  width: number;
  height: number;
}

export class PageView {
  readonly element: HTMLElement;
  readonly number: number;
  size: Size;
  /** The page's items, while it is drawn. */
  items: PageItems | null = null;
  #scale = 1;
  #task: RenderTask | null = null;
  #layer: TextLayer | null = null;
  #drawing: Promise<void> | null = null;

  constructor(number: number, size: Size) {
    this.number = number;
    this.size = size;
    this.element = h("div", {
      class: "page",
      role: "group",
      "data-page": number,
      "aria-label": t("pdfPage", inWords(number)),
    });
  }

  /** Gives the page its place, whether it is drawn or not. */
  place(size: Size, scale: number): void {
    this.size = size;
    this.#scale = scale;
    const { style } = this.element;
    style.width = `${Math.floor(size.width * scale)}px`;
    style.height = `${Math.floor(size.height * scale)}px`;
    style.setProperty("--total-scale-factor", String(scale));
  }

  get isDrawn(): boolean {
    return this.#drawing !== null;
  }

  /** Draws the page; the same promise while it is drawn. */
  draw(document: PDFDocumentProxy): Promise<void> {
    this.#drawing ??= this.#draw(document).catch((error: unknown) => {
      // Outdated or released meanwhile; a page that is damaged stays white.
      if (!(error instanceof Error && /cancel/i.test(error.name + error.message))) throw error;
    });
    return this.#drawing;
  }

  async #draw(document: PDFDocumentProxy): Promise<void> {
    const page = await document.getPage(this.number);
    const base = page.getViewport({ scale: 1 });
    this.place({ width: base.width, height: base.height }, this.#scale);
    const viewport = page.getViewport({ scale: this.#scale });
    const sharpness = Math.min(devicePixelRatio, Math.sqrt(PIXELS_MAX / (viewport.width * viewport.height)));
    const canvas = h("canvas", {
      width: Math.max(1, Math.floor(viewport.width * sharpness)),
      height: Math.max(1, Math.floor(viewport.height * sharpness)),
      "aria-hidden": "true",
    });
    this.#task = page.render({
      canvas,
      viewport,
      ...(sharpness !== 1 && { transform: [sharpness, 0, 0, sharpness, 0, 0] }),
    });
    await this.#task.promise;
    const items = await itemsOf(document, page);
    const container = h("div", { class: "text-layer" });
    const layer = new TextLayer({ textContentSource: toContent(items), container, viewport });
    await layer.render();
    this.#layer = layer;
    this.items = items;
    fillWith(this.element, canvas, container);
    set(this.element, "data-drawn", true);
    page.cleanup();
  }

  /** Ranges of the text layer. */
  rangesOf(stretches: readonly Stretch[]): Range[] {
    return stretches.flatMap(({ item, from, to }) => {
      const node = this.#layer?.textDivs[item]?.firstChild;
      if (!(node instanceof Text) || to > node.length) return [];
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      return [range];
    });
  }

  /** The picture has another size now: it is shown until the new one is there. */
  outdate(): void {
    this.#task?.cancel();
    this.#task = this.#drawing = null;
  }

  /** Gives the memory of the picture back; the place stays. */
  release(): void {
    this.outdate();
    this.#layer?.cancel();
    this.#layer = this.items = null;
    const canvas = this.element.querySelector("canvas");
    if (canvas) canvas.width = canvas.height = 0;
    fillWith(this.element);
    set(this.element, "data-drawn", null);
  }
}

const toContent = ({ items, styles }: PageItems) =>
  ({ items, styles, lang: null }) as unknown as ConstructorParameters<typeof TextLayer>[0]["textContentSource"];
