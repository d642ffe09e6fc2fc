// Which parts of the page a container lies in, by its tags, roles and names.
import type { Container } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import { attributeOf } from "../own.js";
import { Pace } from "../walk.js";
import { type Part, partsNamed } from "./names.js";

export interface Zone {
  readonly parts: ReadonlySet<Part | "header">;
  /** In the element that the page calls its main part. */
  readonly isMain: boolean;
  readonly isArticle: boolean;
}

const TAGS: Record<string, Part | "header"> = {
  NAV: "navigation",
  MENU: "navigation",
  ASIDE: "sidebar",
  FOOTER: "footer",
  HEADER: "header",
  FORM: "form",
  FIELDSET: "form",
  DIALOG: "notice",
  ADDRESS: "byline",
};
const ROLES: Record<string, Part | "header"> = {
  navigation: "navigation",
  menu: "navigation",
  menubar: "navigation",
  toolbar: "navigation",
  tablist: "navigation",
  "doc-toc": "navigation",
  complementary: "sidebar",
  contentinfo: "footer",
  banner: "header",
  search: "form",
  form: "form",
  dialog: "notice",
  alertdialog: "notice",
  "doc-footnote": "notes",
  "doc-endnotes": "notes",
};
/** Of the page's text: a box of a name, and one of a tag or role, holds no more. */
const NAMED_SHARE_MAX = 0.4;
const TAGGED_SHARE_MAX = 0.6;

/** Of the page's text: names on more of it tell nothing. Comments and notes may well be most of a page. */
const COMMON_SHARE_MIN = 0.6;
const BOXES: ReadonlySet<Part> = new Set([
  "sidebar",
  "navigation",
  "notice",
  "advertisement",
  "related",
  "byline",
  "form",
  "share",
]);

const NOWHERE: Zone = { parts: new Set(), isMain: false, isArticle: false };

/** Finds the zones of containers, each once. */
export class Zones {
  readonly #known = new Map<Container, Zone>();
  readonly #named = new Map<Container, ReadonlySet<Part>>();
  /** By part: the text in all that is named so. A builder of pages calls each box a widget. */
  readonly #sums = new Map<Part, number>();
  readonly #chars: number;

  private constructor(chars: number) {
    this.#chars = chars;
  }

  static async of(blocks: readonly LiveBlock[]): Promise<Zones> {
    const pace = new Pace();
    const zones = new Zones(blocks.reduce((sum, { text }) => sum + text.length, 0));
    for (const block of blocks) {
      zones.#add(block);
      if (pace.isDue) await pace.pause();
    }
    return zones;
  }

  #add({ container, text }: LiveBlock): void {
    const parts = new Set<Part>();
    for (let at: Container | null = container; at && this.#isBox(at); at = at.parent)
      for (const part of this.#namesOf(at)) parts.add(part);
    for (const part of parts) this.#sums.set(part, (this.#sums.get(part) ?? 0) + text.length);
  }

  /** What holds more of the text is the page itself, whatever it is called. */
  #isBox({ chars }: Container): boolean {
    return chars <= this.#chars * NAMED_SHARE_MAX;
  }

  #namesOf(container: Container): ReadonlySet<Part> {
    const known = this.#named.get(container);
    if (known) return known;
    const { element } = container;
    const found = partsNamed(`${attributeOf(element, "class") ?? ""} ${attributeOf(element, "id") ?? ""}`);
    this.#named.set(container, found);
    return found;
  }

  /** True for names that most of the page's text has: they tell nothing apart. */
  #isEmpty(part: Part): boolean {
    return BOXES.has(part) && (this.#sums.get(part) ?? 0) > this.#chars * COMMON_SHARE_MIN;
  }

  of(container: Container): Zone {
    const chain: Container[] = [];
    let zone: Zone | undefined;
    for (let at: Container | null = container; at; at = at.parent) {
      zone = this.#known.get(at);
      if (zone) break;
      chain.push(at);
    }
    let found = zone ?? NOWHERE;
    for (const one of chain.reverse()) {
      found = this.#inside(one, found);
      this.#known.set(one, found);
    }
    return found;
  }

  #inside(container: Container, outer: Zone): Zone {
    const { tag, role, element, chars } = container;
    const isMain = outer.isMain || tag === "MAIN" || role === "main";
    const isArticle = outer.isArticle || tag === "ARTICLE" || role === "article";
    const parts = new Set(outer.parts);
    // A dialog in the flow of the text is a part of it.
    const isInFlow = tag === "DIALOG" && getComputedStyle(element).position === "static";
    const tagged = ROLES[role] ?? (isInFlow ? undefined : TAGS[tag]);
    // The header of an article is its title; on an article's own level a footer still is one.
    const isHeading = tagged === "header" && (isMain || isArticle || container.hasTitle);
    if (tagged && !isHeading && chars <= this.#chars * TAGGED_SHARE_MAX) parts.add(tagged);
    if (tag !== "HTML" && tag !== "BODY" && this.#isBox(container) && !container.hasTitle) {
      for (const part of this.#namesOf(container)) if (!this.#isEmpty(part)) parts.add(part);
    }
    const same = parts.size === outer.parts.size && isMain === outer.isMain && isArticle === outer.isArticle;
    return same ? outer : { parts, isMain, isArticle };
  }
}
