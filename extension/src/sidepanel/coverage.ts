import type { Coverage, LeftOut, LeftOutKind } from "../wire.js";
import { h, say, set, show } from "../ui/dom.js";
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
};
/** Kinds that the line names. */
const NAMED_MAX = 4;

/** Builds the line that says how much of the page was read; what was left out unfolds under it. */
export function createCoverage(): {
  element: HTMLElement;
  draw(coverage: Coverage | null, language: string | null): void;
} {
  const line = h("summary");
  const texts = h("div", { class: "left-out" });
  const details = h("details", { class: "more coverage" }, line, texts);
  const all = h("p");
  const pages = h("p");
  let drawn: Coverage | null = null;
  // The texts of a page with much around its own are made when somebody looks.
  details.addEventListener("toggle", () => {
    if (details.open && drawn) texts.replaceChildren(...drawn.leftOut.map(section));
    else texts.replaceChildren();
  });
  return {
    element: h("div", {}, pages, all, details),
    draw(coverage, language) {
      const isWhole = coverage?.leftOut.length === 0;
      show(all, isWhole);
      show(details, coverage !== null && !isWhole);
      set(texts, "lang", language);
      drawn = coverage;
      say(pages, pageWords(coverage?.pages));
      show(pages, pages.textContent !== "");
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
  const { read, total, withoutText } = pages;
  const count = read === total ? t("coveragePagesAll", number(total)) : t("coveragePages", number(read), number(total));
  const rest = read < total ? `. ${t("coveragePagesRest", number(read + 1), number(total))}` : "";
  const empty = withoutText > 0 ? `. ${t("coveragePagesEmpty", number(withoutText))}` : "";
  return count + rest + empty;
}

function kinds(leftOut: readonly LeftOut[]): string {
  const names = leftOut.slice(0, NAMED_MAX).map(nameOf);
  return list(leftOut.length > NAMED_MAX ? [...names, "…"] : names);
}

function nameOf({ kind, count }: LeftOut): string {
  return kind === "linkTables" ? tn(NAMES[kind], count) : t(NAMES[kind]);
}

function section(one: LeftOut): HTMLElement {
  // The page's own language holds for its texts, not for our heading.
  const heading = h("h3", { lang: t("language") }, nameOf(one));
  return h("section", {}, heading, h("ul", {}, ...one.texts.map((text) => h("li", { dir: "auto" }, text))));
}
