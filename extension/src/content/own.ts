// A form answers to the names of its controls before its own members, and a document to the names of its images and
// forms: where a form has an input named "childNodes", `form.childNodes` is that input. The page's nodes are therefore
// read through the prototypes of this script's own world, which no page can change.

/** Reads the property `name` of a node, whatever the page's names say. */
export function getter<T extends object, K extends keyof T>(prototype: T, name: K): (of: T) => T[K] {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!get) throw new Error(`${String(name)} is no property of the prototype`);
  return (of) => get.call(of) as T[K];
}

type Method<T, K extends keyof T> = T[K] extends (...args: infer A) => infer R ? (of: T, ...args: A) => R : never;

/** Calls the method `name` of a node, whatever the page's names say. */
export function method<T extends object, K extends keyof T>(prototype: T, name: K): Method<T, K> {
  const run = prototype[name] as (...args: unknown[]) => unknown;
  return ((of: T, ...args: unknown[]) => run.apply(of, args)) as Method<T, K>;
}

const nodeTypeOf = getter(Node.prototype, "nodeType");
const namespaceOf = getter(Element.prototype, "namespaceURI");
const HTML = "http://www.w3.org/1999/xhtml";
/** `instanceof` knows the nodes of this document only, not those of a frame in it. */
export const isText = (node: Node): node is Text => nodeTypeOf(node) === 3;
export const isElement = (node: Node): node is Element => nodeTypeOf(node) === 1;
export const isHtml = (node: Node): node is HTMLElement => isElement(node) && namespaceOf(node) === HTML;

export const isShadowRoot = (node: Node): node is ShadowRoot => nodeTypeOf(node) === 11;

const contentOfIframe = getter(HTMLIFrameElement.prototype, "contentDocument");
const contentOfFrame = getter(HTMLFrameElement.prototype, "contentDocument");
export const isFrame = (of: Element): boolean => isHtml(of) && (tagOf(of) === "IFRAME" || tagOf(of) === "FRAME");
/** The document in a frame, where it is of the same site. */
const contentDocumentOf = (of: Element): Document | null =>
  !isFrame(of)
    ? null
    : tagOf(of) === "FRAME"
      ? contentOfFrame(of as HTMLFrameElement)
      : contentOfIframe(of as HTMLIFrameElement);
const rootElementOf = getter(Document.prototype, "documentElement");
const bodyElementOf = getter(Document.prototype, "body");
const scrollerElementOf = getter(Document.prototype, "scrollingElement");
const ownerOf = getter(Node.prototype, "ownerDocument");
/** The document that a node belongs to: the page's, or that of a frame in it. */
const documentOf = (node: Node): Document => ownerOf(node) ?? document;
const focusedInRootOf = getter(ShadowRoot.prototype, "activeElement");
const focusedInDocumentOf = getter(Document.prototype, "activeElement");
/** The element with the focus in a frame of the same site, or in a root. */
export function focusedIn(element: Element): Element | null {
  const inner = contentDocumentOf(element);
  if (inner) return focusedInDocumentOf(inner);
  const root = shadowRootOf(element);
  return root && focusedInRootOf(root);
}
/** What a frame shows, where it is of the same site; null for everything else. */
export function frameIn(element: Element): { root: Element; body: Element | null; scroller: Element } | null {
  const inner = contentDocumentOf(element);
  const root = inner && rootElementOf(inner);
  return root ? { root, body: bodyElementOf(inner), scroller: scrollerElementOf(inner) ?? root } : null;
}
const viewOf = getter(Document.prototype, "defaultView");
/** The window of a node's document. */
export const windowOf = (node: Node): typeof globalThis =>
  (viewOf(documentOf(node)) as typeof globalThis | null) ?? globalThis;
/** The frame element in which a node's document is shown; null for the page's own. */
export const frameElementOf = (node: Node): Element | null => (windowOf(node) as unknown as Window).frameElement;

/** True for the root of any document, and for its body. */
export const isRoot = (element: Element): boolean => rootElementOf(documentOf(element)) === element;
export const isBody = (element: Element): boolean => bodyElementOf(documentOf(element)) === element;
export const scrollerOfDocument = (element: Element): Element | null => scrollerElementOf(documentOf(element));

export const childNodesOf = getter(Node.prototype, "childNodes");
export const parentOf = getter(Node.prototype, "parentElement");
export const nodeParentOf = getter(Node.prototype, "parentNode");
export const firstChildOf = getter(Element.prototype, "firstElementChild");
export const nextOf = getter(Element.prototype, "nextElementSibling");
export const nextNodeOf = getter(Node.prototype, "nextSibling");
export const previousNodeOf = getter(Node.prototype, "previousSibling");
export const previousOf = getter(Element.prototype, "previousElementSibling");
export const isInPage = getter(Node.prototype, "isConnected");
export const rootOf = method(Node.prototype, "getRootNode");
export const containsNode = method(Node.prototype, "contains");
export const textOf = getter(Node.prototype, "textContent");

const nameOf = getter(Element.prototype, "tagName");
/** In capitals, as HTML gives it; XHTML and SVG give names as they are written. */
export const tagOf = (of: Element): string => nameOf(of).toUpperCase();
export const localNameOf = getter(Element.prototype, "localName");
export const attributeOf = method(Element.prototype, "getAttribute");
export const setAttribute = method(Element.prototype, "setAttribute");
export const removeAttribute = method(Element.prototype, "removeAttribute");
const clickHtml = method(HTMLElement.prototype, "click");
/** Presses an element, as far as it is one of HTML. */
export const clickOn = (of: Element): void => void (isHtml(of) && clickHtml(of));
export const closestTo = method(Element.prototype, "closest");
export const findIn = method(Element.prototype, "querySelector");
export const findAllIn = (of: Element, selector: string): NodeListOf<Element> =>
  Element.prototype.querySelectorAll.call(of, selector);
export const isRendered = method(Element.prototype, "checkVisibility");
export const boxOf = method(Element.prototype, "getBoundingClientRect");
export const clientRectsOf = method(Element.prototype, "getClientRects");
export const clientLeftOf = getter(Element.prototype, "clientLeft");
export const clientTopOf = getter(Element.prototype, "clientTop");
export const clientWidthOf = getter(Element.prototype, "clientWidth");
export const clientHeightOf = getter(Element.prototype, "clientHeight");
export const scrollLeftOf = getter(Element.prototype, "scrollLeft");
export const scrollTopOf = getter(Element.prototype, "scrollTop");
export const scrollWidthOf = getter(Element.prototype, "scrollWidth");
export const scrollHeightOf = getter(Element.prototype, "scrollHeight");
const openShadowRootOf = getter(Element.prototype, "shadowRoot");
/** Firefox gives extensions closed roots by a property of its own. */
const anyShadowRoot = Object.getOwnPropertyDescriptor(Element.prototype, "openOrClosedShadowRoot")?.get;
export const shadowRootOf = (of: Element): ShadowRoot | null =>
  (canHost(of) ? (anyShadowRoot?.call(of) as ShadowRoot | null | undefined) : null) ?? openShadowRootOf(of);
/** Elements in which a page can put a root. Those of others are the browser's own, which Firefox gives but lets nobody read. */
const HOSTS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);
const canHost = (of: Element): boolean => HOSTS.has(localNameOf(of)) || localNameOf(of).includes("-");
export const bringIntoView = method(Element.prototype, "scrollIntoView");
export const scrollElementBy = (of: Element, options: ScrollToOptions): void =>
  (Element.prototype.scrollBy as (this: Element, options: ScrollToOptions) => void).call(of, options);
/** False where the style sets width or height; unknown counts as not set. */
export function hasAutoSize(element: Element): boolean {
  const styles = Element.prototype.computedStyleMap?.call(element);
  return ["width", "height"].every((name) => String(styles?.get(name) ?? "auto") === "auto");
}
export const offsetWidthOf = getter(HTMLElement.prototype, "offsetWidth");
export const offsetHeightOf = getter(HTMLElement.prototype, "offsetHeight");
export const innerTextOf = getter(HTMLElement.prototype, "innerText");

const inputTypeOf = getter(HTMLInputElement.prototype, "type");
const fieldParts = <T extends HTMLInputElement | HTMLTextAreaElement>(prototype: T) => ({
  value: getter(prototype, "value"),
  start: getter(prototype, "selectionStart"),
  end: getter(prototype, "selectionEnd"),
});
const inputParts = fieldParts(HTMLInputElement.prototype);
const areaParts = fieldParts(HTMLTextAreaElement.prototype);
/** The selected part of a text field, and the field's type; null for everything else. */
export function fieldSelection(element: Element): { type: string; read: () => string } | null {
  if (!isHtml(element)) return null;
  const slice = <T extends HTMLElement>(
    of: T,
    { value, start, end }: { value(of: T): string; start(of: T): number | null; end(of: T): number | null },
  ): string => value(of).slice(start(of) ?? 0, end(of) ?? 0);
  if (tagOf(element) === "TEXTAREA") {
    return { type: "textarea", read: () => slice(element as HTMLTextAreaElement, areaParts) };
  }
  if (tagOf(element) !== "INPUT") return null;
  return { type: inputTypeOf(element as HTMLInputElement), read: () => slice(element as HTMLInputElement, inputParts) };
}

const docGet = <K extends keyof Document>(name: K): (() => Document[K]) => {
  const get = getter(Document.prototype, name);
  return () => get(document);
};

const bodyOfPage = docGet("body");
/** The outermost element of a file of XML that is no page and no drawing. */
export const isXml = (root: Element): boolean =>
  /[/+]xml$/.test(page.contentType()) && !isHtml(root) && localNameOf(root) !== "svg";
const baseOf = getter(Node.prototype, "baseURI");

/** The document's own members. */
export const page = {
  /** Of a file of XML, which has none, the outermost element. */
  body: () => bodyOfPage() ?? (isXml(page.root()) ? (page.root() as HTMLElement) : null),
  /** Firefox shows a file of XML without a style as a tree, in a root of its outermost element. */
  isXmlTree: () => isXml(page.root()) && Boolean(anyShadowRoot?.call(page.root())),
  root: docGet("documentElement"),
  title: docGet("title"),
  contentType: docGet("contentType"),
  /** What addresses in it are relative to. */
  base: () => baseOf(document),
  focused: docGet("activeElement"),
  scroller: docGet("scrollingElement"),
  fonts: docGet("fonts"),
  animations: () => Document.prototype.getAnimations.call(document),
  make: <K extends keyof HTMLElementTagNameMap>(tag: K): HTMLElementTagNameMap[K] =>
    Document.prototype.createElement.call(document, tag) as HTMLElementTagNameMap[K],
  /** Behind everything else that the document has. */
  add: (element: Element) => void Node.prototype.appendChild.call(page.root(), element),
  at: (x: number, y: number) => Document.prototype.elementFromPoint.call(document, x, y),
  find: (selector: string) => Document.prototype.querySelector.call(document, selector),
  findAll: (selector: string) => Document.prototype.querySelectorAll.call(document, selector),
};
