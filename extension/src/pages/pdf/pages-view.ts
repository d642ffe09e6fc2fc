// All pages of a document: places for all of them, pictures of those near the reader.
import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { fillWith } from "../../ui/dom.js";
import type { Stretch } from "./find.js";
import { PageView } from "./page-view.js";
import type { PageItems } from "./text/pieces.js";

const POINT_PIXELS = 96 / 72;
export const ZOOM_MIN = 0.25;
export const ZOOM_MAX = 4;
const ZOOM_STEP = 1.2;
/** Pages beyond the window that are drawn ahead, in heights of the window. */
const AHEAD = "75%";
/** Pictures that are kept. */
const DRAWN_MAX = 8;
/** The name of the mark, as on web pages. */
const MARK = "pith-passage";

export class PagesView {
  readonly #root: HTMLElement;
  readonly #document: PDFDocumentProxy;
  readonly #views: PageView[];
  readonly #observer: IntersectionObserver;
  readonly #near = new Set<PageView>();
  readonly #changed: () => void;
  readonly #stop = new AbortController();
  #marked = new Map<number, Stretch[]>();
  /** Null: as wide as the window. */
  #zoom: number | null = null;

  /** `changed`: another page is in front, or the zoom is another. */
  static async open(root: HTMLElement, document: PDFDocumentProxy, changed: () => void): Promise<PagesView> {
    const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 });
    // The other pages are taken for as large until they are drawn: to ask all of them takes long.
    const views = Array.from({ length: document.numPages }, (_, at) => new PageView(at + 1, { width, height }));
    return new PagesView(root, document, views, changed);
  }

  private constructor(root: HTMLElement, document: PDFDocumentProxy, views: PageView[], changed: () => void) {
    this.#root = root;
    this.#document = document;
    this.#views = views;
    this.#changed = changed;
    fillWith(root, ...views.map(({ element }) => element));
    const { signal } = this.#stop;
    root.addEventListener("scroll", () => changed(), { passive: true, signal });
    addEventListener("resize", () => this.#zoom === null && this.#place(), { signal });
    const byElement = new Map<Element, PageView>(views.map((view) => [view.element, view]));
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const view = byElement.get(target);
          if (view) this.#near[isIntersecting ? "add" : "delete"](view);
        }
        void this.#drawNear();
      },
      { root, rootMargin: `${AHEAD} 0px` },
    );
    this.#place();
    for (const { element } of views) this.#observer.observe(element);
  }

  get count(): number {
    return this.#views.length;
  }

  /** The page that takes the upper third of the window. */
  get current(): number {
    const line = this.#root.scrollTop + this.#root.clientHeight / 3;
    let [low, high] = [0, this.#views.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#views[middle]?.element.offsetTop ?? 0) <= line) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** 1 is the size on paper. */
  get zoom(): number {
    return this.#scale / POINT_PIXELS;
  }

  /** Null: as wide as the window. */
  setZoom(zoom: number | null): void {
    this.#zoom = zoom === null ? null : Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, zoom));
    this.#place();
  }

  step(direction: 1 | -1): void {
    this.setZoom(this.zoom * ZOOM_STEP ** direction);
  }

  goTo(page: number): void {
    const view = this.#views[Math.min(this.count, Math.max(1, page)) - 1];
    if (view) this.#root.scrollTop = view.element.offsetTop - 6;
  }

  /** The items of a page; it is drawn for it. */
  async itemsOf(page: number): Promise<PageItems | null> {
    const view = this.#views[page - 1];
    await view?.draw(this.#document);
    return view?.items ?? null;
  }

  /** Scrolls to stretches of text and, with `marks`, marks them. */
  async show(found: ReadonlyMap<number, Stretch[]>, marks: boolean): Promise<void> {
    const [first] = found;
    if (!first) return;
    const [page, stretches] = first;
    this.#marked = marks ? new Map(found) : new Map();
    this.goTo(page);
    await this.itemsOf(page);
    const [range] = this.#views[page - 1]?.rangesOf(stretches) ?? [];
    if (range) {
      const box = range.getBoundingClientRect();
      const window = this.#root.getBoundingClientRect();
      this.#root.scrollTop += box.top - window.top - window.height / 3;
      if (box.left < window.left || box.right > window.right) this.#root.scrollLeft += box.left - window.left - 20;
    }
    this.#mark();
  }

  /** Takes the mark away. */
  clear(): void {
    this.#marked.clear();
    this.#mark();
  }

  close(): void {
    this.#stop.abort();
    this.#observer.disconnect();
    this.clear();
    for (const view of this.#views) view.release();
    fillWith(this.#root);
  }

  #mark(): void {
    const ranges = [...this.#marked].flatMap(([page, stretches]) => this.#views[page - 1]?.rangesOf(stretches) ?? []);
    if (ranges.length > 0) CSS.highlights.set(MARK, new Highlight(...ranges));
    else CSS.highlights.delete(MARK);
  }

  get #scale(): number {
    if (this.#zoom !== null) return this.#zoom * POINT_PIXELS;
    const width = this.#views[0]?.size.width ?? 600;
    return Math.min(1.5 * POINT_PIXELS, Math.max(100, this.#root.clientWidth - 28) / width);
  }

  /** Gives all pages their places at the present zoom, and keeps the page in front where it is. */
  #place(): void {
    const page = this.current;
    const view = this.#views[page - 1];
    const share = view ? (this.#root.scrollTop - view.element.offsetTop) / (view.element.offsetHeight || 1) : 0;
    const scale = this.#scale;
    for (const one of this.#views) {
      if (this.#near.has(one)) one.outdate();
      else one.release();
      one.place(one.size, scale);
    }
    if (view) this.#root.scrollTop = view.element.offsetTop + share * view.element.offsetHeight;
    void this.#drawNear();
    this.#changed();
  }

  #queue: Promise<void> = Promise.resolve();

  /** Draws the pages near the window, one after the other, and releases those that are farthest. */
  #drawNear(): Promise<void> {
    this.#queue = this.#queue.then(async () => {
      const { current } = this;
      const byDistance = (a: PageView, b: PageView): number =>
        Math.abs(a.number - current) - Math.abs(b.number - current);
      for (const view of [...this.#near].sort(byDistance)) {
        if (this.#stop.signal.aborted) return;
        if (!this.#near.has(view) || view.isDrawn) continue;
        await view.draw(this.#document).catch(() => {});
        if (this.#marked.has(view.number)) this.#mark();
      }
      const drawn = this.#views.filter(({ isDrawn }) => isDrawn).sort(byDistance);
      for (const view of drawn.slice(DRAWN_MAX)) if (!this.#near.has(view)) view.release();
    });
    return this.#queue;
  }
}
