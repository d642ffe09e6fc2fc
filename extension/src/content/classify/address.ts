import type { Container } from "../blocks/containers.js";
import { attributeOf, findIn, page } from "../own.js";

/** Whether the link of a heading leads to a place in the page, or to the page itself. */
export function linksHere(): (heading: Container) => boolean {
  const isThisPage = ownAddress();
  return (heading) => {
    for (let at: Container | null = heading; at; at = at.parent) {
      const link = at.tag === "A" ? at.element : findIn(at.element, "a[href]");
      const href = (link && attributeOf(link, "href")) ?? "";
      const id = /^#(.+)$/.exec(href)?.[1];
      if (link && id === undefined) return isThisPage(href);
      if (id !== undefined) return page.find(`[id="${CSS.escape(id)}"], [name="${CSS.escape(id)}"]`) !== null;
      if (at.isBlock) break;
    }
    return false;
  };
}

/** Whether an address is the page's own, as the window has it or as the page gives it: the page is asked once for many. */
function ownAddress(): (href: string) => boolean {
  const given = page.find("link[rel~='canonical'][href], meta[property='og:url'][content]");
  const own = given && (attributeOf(given, "href") ?? attributeOf(given, "content"));
  const addresses = new Set([location.href, ...(own ? [own] : [])].map(addressIn));
  return (href) => {
    const address = addressIn(href);
    return address !== null && addresses.has(address);
  };
}

/** An address without what does not tell pages apart: protocol, fragment and the last slash. */
function addressIn(href: string): string | null {
  const base = page.base();
  const url = URL.canParse(href, base) ? new URL(href, base) : null;
  return url && `${url.host}${url.pathname.replace(/\/$/, "")}${url.search}`;
}
