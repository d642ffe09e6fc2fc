// The text that is selected in this frame.
import type { Selected } from "../../actions.js";
import { seen } from "../../text/seen.js";
import { readMetadata } from "../metadata.js";
import { attributeOf, fieldSelection, focusedIn, page } from "../own.js";

/** Types of inputs whose text may be read. All others hold no text, or what nobody else may see. */
const PLAIN_TYPES = new Set(["textarea", "text", "search", "url"]);
/** Types of inputs in which no text stands: the selection is elsewhere. */
const TEXTLESS_TYPES = new Set("button checkbox color file hidden image radio range reset submit".split(" "));
/** Purposes of fields that are never read, as the page or the browser names them. */
const SECRETS = /password|one-time-code|\bcc-|\bpin\b/i;
/** Roots and frames around the element with the focus. */
const DEPTH_MAX = 32;

/** The selected text of this frame, at most `charsMax` UTF-16 units of it. */
export function selection(charsMax: number): Selected {
  const { title, language } = readMetadata();
  const found = selectedText();
  if (typeof found !== "string") return { text: "", chars: 0, title, language, problem: found.problem };
  // Firefox gives the white space of the source around it too.
  const text = seen(found).trim();
  const problem = text === "" ? "selection_none" : null;
  return { text: clipped(text, charsMax), chars: text.length, title, language, problem };
}

/** True where there is something to act on. */
export function hasSelection(): boolean {
  const found = selectedText();
  return typeof found === "string" && found.trim() !== "";
}

function selectedText(): string | { problem: "selection_secret" } {
  const focused = deepestFocused();
  const field = focused && fieldSelection(focused);
  if (!field || TEXTLESS_TYPES.has(field.type)) return String(getSelection() ?? "");
  const purpose = `${attributeOf(focused, "autocomplete") ?? ""} ${attributeOf(focused, "name") ?? ""}`;
  // A page that shows a password has made its field one of plain text.
  if (!PLAIN_TYPES.has(field.type) || SECRETS.test(purpose)) return { problem: "selection_secret" };
  return field.read();
}

/** The element with the focus, also in roots. */
function deepestFocused(): Element | null {
  let found = page.focused();
  for (let depth = 0; found && depth < DEPTH_MAX; depth++) {
    const inner = focusedIn(found);
    if (!inner) break;
    found = inner;
  }
  return found;
}

/** Not through the middle of a character. */
function clipped(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(charsMax - 1));
  return text.slice(0, isHalf ? charsMax - 1 : charsMax);
}
