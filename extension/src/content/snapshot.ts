import { isUnread } from "./furniture.js";
import { attributeOf, isElement, isText, localNameOf, page, tagOf } from "./own.js";
import { isBlock } from "./sight/look.js";
import type { Sight } from "./sight/sight.js";
import { walk } from "./walk.js";

/** Attributes that tell Readability what an element is for. */
const KEPT = ["class", "id", "role", "rel", "itemprop", "itemtype", "property", "dir", "lang"];
const VOID = new Set("AREA BASE BR COL HR IMG LINK META SOURCE TRACK WBR".split(" "));
const CONTROLS = new Set(["FIELDSET", "OUTPUT"]);
/** Marks an element in the snapshot. Part of the name, not a value: Readability copies attributes from parents over their children's. */
export const MARK = "data-pith-";

/** A longer snapshot would take Readability seconds. */
const CHARS_MAX = 4_000_000;

/** A page's visible text as HTML, each element marked with its number, and the live elements by that number. */
export interface Snapshot {
  /** Null where it would be too long for Readability. */
  html: string | null;
  numbers: ReadonlyMap<Element, number>;
}

/** Takes the picture that the panel judges, so that judging costs the page nothing. */
export async function takeSnapshot(sight: Sight): Promise<Snapshot> {
  const parts: string[] = [];
  let chars = 0;
  const put = (part: string): void => {
    chars += part.length;
    if (chars <= CHARS_MAX) parts.push(part);
  };
  const numbers = new Map<Element, number>();
  await walk(page.root(), {
    enter(node) {
      if (isText(node)) {
        for (const { start, end } of sight.runs(node)) put(escape(node.data.slice(start, end)));
        return false;
      }
      if (!isElement(node)) return true;
      if (chars > CHARS_MAX) return false;
      if (tagOf(node) === "BR") {
        put("<br>");
        return false;
      }
      if (VOID.has(tagOf(node)) || isUnread(node) || sight.of(node) === "nothing") return false;
      numbers.set(node, numbers.size);
      put(`<${name(node, sight)} ${MARK}${numbers.size - 1}${attributes(node)}>`);
      return true;
    },
    leave(node) {
      if (!isElement(node)) return;
      put(`</${name(node, sight)}>`);
    },
  });
  return { html: chars > CHARS_MAX ? null : parts.join(""), numbers };
}

/** The page's own elements by name; what a name does not say (custom elements, slots), its box does. */
function name(element: Element, sight: Sight): string {
  const tag = localNameOf(element);
  if (tag === "html" && element === page.root()) return "body";
  if (tag === "html" || tag === "body" || /^(?:i?frame|frameset)$/.test(tag)) return "div";
  if (/^[a-z][a-z0-9]*$/.test(tag) && tag !== "slot") return tag;
  return isBlock(sight.styleOf(element)) ? "div" : "span";
}

function attributes(element: Element): string {
  // A form of the picture answers to the ids of its controls, as one of the page does.
  const names = CONTROLS.has(tagOf(element)) ? KEPT.filter((one) => one !== "id") : KEPT;
  const kept = names
    .map((one) => [one, attributeOf(element, one)] as const)
    .filter((pair): pair is readonly [string, string] => pair[1] !== null)
    .map(([one, value]) => ` ${one}="${escape(value)}"`);
  // Where a link leads does not matter, only that it is one.
  if (localNameOf(element) === "a") kept.push(' href="#"');
  return kept.join("");
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (unit) => `&#${unit.charCodeAt(0)};`);
}
