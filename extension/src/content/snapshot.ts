import { isBlock, isFurniture, whatIsSeen } from "./visible.js";
import { walk } from "./walk.js";

/** Attributes that tell Readability what an element is for. */
const KEPT = ["class", "id", "role", "rel", "itemprop", "itemtype", "property", "dir", "lang"];
const VOID = new Set("AREA BASE BR COL HR IMG LINK META SOURCE TRACK WBR".split(" "));
/** Marks an element in the snapshot. Part of the name, not a value: Readability copies attributes from parents over their children's. */
export const MARK = "data-pith-";

/** A page's visible text as HTML, each element marked with its number, and the live elements by that number. */
export interface Snapshot {
  html: string;
  numbers: ReadonlyMap<Element, number>;
}

/** Takes the picture that the panel judges, so that judging costs the page nothing. */
export async function takeSnapshot(root: Element): Promise<Snapshot> {
  const parts: string[] = [];
  const numbers = new Map<Element, number>();
  const ownText: boolean[] = [];
  await walk(root, {
    enter(node) {
      if (node instanceof Text) {
        if (ownText.at(-1)) parts.push(escape(node.data));
        return false;
      }
      if (!(node instanceof Element)) return true;
      if (node.tagName === "BR") {
        parts.push("<br>");
        return false;
      }
      if (VOID.has(node.tagName) || isFurniture(node)) return false;
      const seen = whatIsSeen(node, getComputedStyle(node));
      if (seen === "nothing") return false;
      ownText.push(seen === "all");
      numbers.set(node, numbers.size);
      parts.push(`<${name(node)} ${MARK}${numbers.size - 1}${attributes(node)}>`);
      return true;
    },
    leave(node) {
      if (!(node instanceof Element)) return;
      ownText.pop();
      parts.push(`</${name(node)}>`);
    },
  });
  return { html: parts.join(""), numbers };
}

/** The page's own elements by name; what a name does not say (custom elements, slots), its box does. */
function name(element: Element): string {
  const tag = element.localName;
  if (tag === "html") return "body";
  if (tag === "body") return "div";
  if (/^[a-z][a-z0-9]*$/.test(tag) && tag !== "slot") return tag;
  return isBlock(getComputedStyle(element)) ? "div" : "span";
}

function attributes(element: Element): string {
  const kept = KEPT.map((one) => [one, element.getAttribute(one)] as const)
    .filter((pair): pair is readonly [string, string] => pair[1] !== null)
    .map(([one, value]) => ` ${one}="${escape(value)}"`);
  // Where a link leads does not matter, only that it is one.
  if (element.localName === "a") kept.push(' href="#"');
  return kept.join("");
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (unit) => `&#${unit.charCodeAt(0)};`);
}
