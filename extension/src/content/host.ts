// What this script shows on the page: in a closed root, in the top layer, without effect on the page's layout.

import { page } from "./own.js";

/** Our elements on the page. The reader leaves them out. */
const ours = new WeakSet<Element>();

export const isOurs = (element: Element): boolean => ours.has(element);

/** Styles that no rule of a page outweighs: neither rules with `!important` nor transitions and animations. */
export function style(element: HTMLElement, rules: Record<string, string>): void {
  for (const [name, value] of Object.entries(rules)) element.style.setProperty(name, value, "important");
}

/** Puts `content` on the page. The page sees that an empty element is there, and can take it away. */
export function place(content: HTMLElement, rules: Record<string, string>): HTMLElement {
  const host = page.make("div");
  style(host, {
    all: "initial",
    position: "fixed",
    inset: "auto",
    margin: "0",
    padding: "0",
    border: "0",
    background: "none",
    overflow: "visible",
    display: "block",
    transition: "none",
    animation: "none",
    "color-scheme": "light dark",
    "z-index": "2147483647",
    ...rules,
  });
  host.popover = "manual";
  host.attachShadow({ mode: "closed" }).append(content);
  ours.add(host);
  page.add(host);
  host.showPopover();
  return host;
}
