// The bar above the pages: page number, zoom, another file, and the summary.
import { part, say, sayName, set, show } from "../../ui/dom.js";
import { number, percent, t } from "../../ui/words.js";
import type { PagesView } from "./pages-view.js";

export interface Tools {
  /** Shows the tools of a document, or none. */
  open(view: PagesView | null, name: string): void;
  /** Another page is in front, or the zoom is another. */
  update(): void;
}

export function createTools(openFile: () => void, summarize: () => void): Tools {
  let view: PagesView | null = null;
  const field = part<HTMLInputElement>("page-number");
  const go = part<HTMLFormElement>("go");
  const pages = part("pages");
  const button = (id: string, run: () => void, label: string, name = ""): void => {
    const element = part(id);
    if (name) set(element, "aria-label", name);
    if (label) say(element, label);
    element.addEventListener("click", run);
  };
  say(part("go").querySelector("label")!, t("pdfPageLabel"));
  set(part("zoom"), "aria-label", t("pdfZoom"));
  set(pages, "aria-label", t("pdfPages"));
  button("zoom-out", () => view?.step(-1), "", t("pdfZoomOut"));
  button("zoom-in", () => view?.step(1), "", t("pdfZoomIn"));
  button("zoom-fit", () => view?.setZoom(null), t("pdfZoomFit"));
  button("open-file", openFile, t("pdfOpenFile"));
  button("summarize", summarize, t("pdfSummarize"));

  const goTo = (): void => {
    const wanted = Number.parseInt(field.value, 10);
    if (view && wanted >= 1) view.goTo(wanted);
    update();
    // What is beside no page is put right.
    if (view) field.value = String(view.current);
  };
  go.addEventListener("submit", (event) => {
    event.preventDefault();
    goTo();
    field.select();
  });
  field.addEventListener("change", goTo);
  pages.addEventListener("keydown", (event) => {
    if (!view || event.ctrlKey || event.metaKey || event.altKey) return;
    const run = {
      ArrowRight: () => view?.goTo(view.current + 1),
      ArrowLeft: () => view?.goTo(view.current - 1),
      "+": () => view?.step(1),
      "-": () => view?.step(-1),
      "0": () => view?.setZoom(null),
    }[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  });

  function update(): void {
    if (!view) return;
    // Numbers as they are typed, whatever digits the language has. Nothing is changed under the typist's hands.
    if (document.activeElement !== field) field.value = String(view.current);
    say(part("page-count"), t("pdfPageCount", number(view.count)));
    say(part("zoom-value"), percent(view.zoom));
  }

  return {
    open(next, name) {
      view = next;
      sayName(part("name"), name);
      for (const id of ["go", "zoom", "summarize", "pages"]) show(part(id), next !== null);
      update();
    },
    update,
  };
}
