import type { Passage, Support, WrittenLine, WrittenText } from "@pith/web";
import { h, keyed, say, set, show } from "../ui/dom.js";
import { quoted, t } from "../ui/words.js";
import { sourceKey } from "./panel.js";
import type { PageNames } from "./page-names.js";
import { drawPassages } from "./passages.js";

/** The message that says what a line is, where it is no sentence of the page that the model chose. */
const MARKS: Record<Support, string | null> = {
  copied: null,
  supported: "support_supported",
  replaced: "support_replaced",
  unsupported: "support_unsupported",
  translated: "support_translated",
};

export interface WrittenLinesOptions {
  /** Of the text. */
  language: string | null;
  pages: PageNames;
  marked: string | null;
  /** The settings let a click change the page. */
  canShow: boolean;
}

interface Item {
  line: WrittenLine;
  at: number;
  sources: Passage[];
}

interface Parts {
  button: HTMLButtonElement;
  speaker: HTMLElement;
  words: HTMLElement;
  mark: HTMLElement;
  list: HTMLElement;
  sources: Passage[];
}

/** What was written, line by line. A press on a line shows its first passage, the next press the next one. */
export interface WrittenLines {
  element: HTMLElement;
  draw(text: WrittenText | null, options: WrittenLinesOptions): void;
}

export function createWrittenLines(onShow: (passage: Passage) => void): WrittenLines {
  const element = h("ol", { class: "passages written-lines" });
  const parts = new WeakMap<Element, Parts>();
  let open: Element | null = null;
  let marked: string | null = null;
  let redraw = (): void => {};

  const press = (item: Element): void => {
    const { sources = [] } = parts.get(item) ?? {};
    const shown = item === open ? sources.findIndex((one) => sourceKey(one) === marked) : -1;
    const next = sources[(shown + 1) % sources.length];
    open = item;
    redraw();
    if (next) onShow(next);
  };

  const make = ({ at }: Item): HTMLElement => {
    const speaker = h("span", { class: "speaker" });
    const words = h("span");
    const mark = h("small", { class: "support" });
    const list = h("ul", { class: "passages sources", id: `${nextId()}-sources`, "aria-label": t("sources") });
    const button = h("button", { type: "button", class: "passage written", dir: "auto" }, speaker, words, " ", mark);
    const item = h("li", { value: at + 1 }, button, list);
    button.addEventListener("click", () => press(item));
    parts.set(item, { button, speaker, words, mark, list, sources: [] });
    return item;
  };

  const draw = (item: Element, { line, sources }: Item, options: WrittenLinesOptions): void => {
    const found = parts.get(item);
    if (!found) return;
    found.sources = sources;
    const { button, speaker, words, mark, list } = found;
    const isOwn = line.support === "supported" || line.support === "translated";
    const hasList = sources.length > 1 || (sources.length === 1 && isOwn);
    const isOpen = item === open && hasList;
    const current = item === open && sources.some((one) => sourceKey(one) === options.marked);
    const key = MARKS[line.support];
    say(words, line.text);
    // What a model wrote in its own words is nobody's: its sources name theirs.
    const [source] = line.support === "copied" || line.support === "replaced" ? sources : [];
    const person = source?.speaker ?? null;
    say(speaker, person ? `${quoted(person)}: ` : "");
    set(words, "lang", options.language);
    // A line without a list of sources says itself where its one source is.
    const place = !hasList && sources[0] ? options.pages.mark(sources[0]) : null;
    const gone = sources.some(options.pages.isGone) ? t("passageGone") : null;
    const said = [key && t(key), place, gone].filter(Boolean).join(" · ");
    say(mark, said);
    show(mark, said !== "");
    set(item, "data-support", line.support);
    set(button, "disabled", sources.length === 0 || (!options.canShow && !hasList));
    set(button, "title", sources.length > 0 && options.canShow && t("showOnPage"));
    set(button, "aria-current", current ? "location" : null);
    set(button, "aria-expanded", hasList ? String(isOpen) : null);
    set(button, "aria-controls", hasList ? list.id : null);
    show(list, isOpen);
    drawPassages(list, isOpen ? sources : [], {
      pages: options.pages,
      marked: options.marked,
      canShow: options.canShow,
      onShow,
    });
  };

  return {
    element,
    draw(text, options) {
      marked = options.marked;
      const items = (text?.lines ?? []).map((line, at) => ({ line, at, sources: sourcesOf(line, text) }));
      redraw = () =>
        keyed(
          element,
          items,
          ({ at }) => String(at),
          make,
          (item, one) => draw(item, one, options),
        );
      redraw();
    },
  };
}

let ids = 0;
const nextId = (): string => `line-${++ids}`;

/** The passages of a line. An index that has none is left out. */
function sourcesOf({ sources }: WrittenLine, text: WrittenText | null): Passage[] {
  return sources.flatMap((at) => text?.passages[at] ?? []);
}
