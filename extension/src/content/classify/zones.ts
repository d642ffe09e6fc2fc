// Which parts of the page a container lies in, by its tags, roles and names.
import type { Container } from "../blocks/containers.js";
import { attributeOf } from "../own.js";
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
/** Of the page's text: what holds more is the page itself, whatever it is called. */
const NAMED_SHARE_MAX = 0.4;
const TAGGED_SHARE_MAX = 0.6;

const NOWHERE: Zone = { parts: new Set(), isMain: false, isArticle: false };

/** Finds the zones of containers, each once. */
export class Zones {
  readonly #known = new Map<Container, Zone>();
  readonly #chars: number;

  /** `chars`: the characters of the whole page. */
  constructor(chars: number) {
    this.#chars = chars;
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
    if (tag !== "HTML" && tag !== "BODY" && chars <= this.#chars * NAMED_SHARE_MAX && !container.hasTitle) {
      for (const part of partsNamed(`${attributeOf(element, "class") ?? ""} ${attributeOf(element, "id") ?? ""}`))
        parts.add(part);
    }
    const same = parts.size === outer.parts.size && isMain === outer.isMain && isArticle === outer.isArticle;
    return same ? outer : { parts, isMain, isArticle };
  }
}
