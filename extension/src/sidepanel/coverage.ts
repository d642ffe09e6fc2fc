import { UNFOLDABLE } from "../coverage-wire.js";
import type { Coverage, LeftOut, LeftOutKind } from "../wire.js";
import { fillWith, h, say, set, show } from "../ui/dom.js";
import { list, number, t, tn } from "../ui/words.js";

/** The message that names a kind of what was left out. */
const NAMES: Record<LeftOutKind, string> = {
  navigation: "leftOut_navigation",
  linkTables: "leftOut_linkTables",
  sidebar: "leftOut_sidebar",
  footer: "leftOut_footer",
  notice: "leftOut_notice",
  advertisement: "leftOut_advertisement",
  share: "leftOut_share",
  related: "leftOut_related",
  form: "leftOut_form",
  byline: "leftOut_byline",
  notes: "leftOut_notes",
  runningHeads: "leftOut_runningHeads",
  controls: "leftOut_controls",
  other: "leftOut_other",
  struck: "leftOut_struck",
  formulas: "leftOut_formulas",
  closed: "leftOut_closed",
  unseen: "leftOut_unseen",
  hidden: "leftOut_hidden",
  garbled: "leftOut_garbled",
  unsure: "leftOut_unsure",
  drawings: "leftOut_drawings",
  foreignFrames: "leftOut_foreignFrames",
};
const COUNTED: readonly LeftOutKind[] = ["linkTables", "closed"];
/** Kinds that the line names. */
const NAMED_MAX = 4;

/**
 * Builds the line that says how much of the page was read; what was left out unfolds under it. `unfold` opens closed sections on the
 * page and reads again.
 */
export function createCoverage(unfold: () => void): {
  element: HTMLElement;
  draw(coverage: Coverage | null, language: string | null): void;
} {
  const line = h("summary");
  const texts = h("div", { class: "left-out" });
  const details = h("details", { class: "more coverage" }, line, texts);
  const all = h("p");
  const pages = h("p");
  const opened = h("p");
  const opener = h("button", { type: "button", class: "link" }, t("unfold"));
  opener.addEventListener("click", unfold);
  let drawn: Coverage | null = null;
  // The texts of a page with much around its own are made when somebody looks.
  details.addEventListener("toggle", () => {
    if (details.open && drawn) fillWith(texts, ...drawn.leftOut.filter(({ texts }) => texts.length > 0).map(section));
    else fillWith(texts);
  });
  return {
    element: h("div", {}, pages, opened, all, details, opener),
    draw(coverage, language) {
      const isWhole = coverage?.leftOut.length === 0;
      show(all, isWhole);
      show(details, coverage !== null && !isWhole);
      show(opener, coverage?.leftOut.some(({ kind }) => UNFOLDABLE.includes(kind)) ?? false);
      set(texts, "lang", language);
      drawn = coverage;
      say(pages, pageWords(coverage?.pages));
      show(pages, pages.textContent !== "");
      const sections = coverage?.opened ?? 0;
      say(opened, sections > 0 ? tn("coverageOpened", sections) : "");
      show(opened, sections > 0);
      if (!coverage) return;
      say(all, tn("coverageAll", coverage.wordsRead));
      const words = t("coverage", number(coverage.wordsRead), number(coverage.wordsVisible), kinds(coverage.leftOut));
      if (line.textContent === words) return;
      say(line, words);
      details.open = false;
    },
  };
}

/** How many pages of a PDF were read, and what was not. */
function pageWords(pages: Coverage["pages"]): string {
  if (!pages) return "";
  const { read, total, withoutText, layers, isSlow } = pages;
  const reason = isSlow ? "coveragePagesSlow" : "coveragePagesRest";
  const count = read === total ? t("coveragePagesAll", number(total)) : t("coveragePages", number(read), number(total));
  const rest = read < total ? `. ${t(reason, number(read + 1), number(total))}` : "";
  const empty = withoutText > 0 ? `. ${t("coveragePagesEmpty", number(withoutText))}` : "";
  const layer = layers > 0 ? `. ${t("coveragePagesLayer", number(layers))}` : "";
  return count + rest + empty + layer;
}

function kinds(leftOut: readonly LeftOut[]): string {
  // What the reader can do something about is named first.
  const isFirst = ({ kind }: LeftOut): boolean => UNFOLDABLE.includes(kind);
  const sorted = [...leftOut.filter(isFirst), ...leftOut.filter((one) => !isFirst(one))];
  const names = sorted.slice(0, NAMED_MAX).map(nameOf);
  return list(leftOut.length > NAMED_MAX ? [...names, "…"] : names);
}

function nameOf({ kind, count }: LeftOut): string {
  return COUNTED.includes(kind) ? tn(NAMES[kind], count) : t(NAMES[kind]);
}

function section(one: LeftOut): HTMLElement {
  // The page's own language holds for its texts, not for our heading.
  const heading = h("h3", { lang: t("language") }, nameOf(one));
  return h("section", {}, heading, h("ul", {}, ...one.texts.map((text) => h("li", { dir: "auto" }, text))));
}
