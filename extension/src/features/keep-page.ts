// Copies and saves the summary and the answers.
import { type PageDocument, questionOnly, summaryOnly } from "../export/document.js";
import { fillWith, h, part, put, say, show } from "../ui/dom.js";
import { createButton, createCopy, createGroup, createSaves, type KeepTarget } from "../ui/keep-actions.js";
import type { Feature, Panel } from "../sidepanel/panel.js";
import { printInTab } from "./print-page.js";
import { t } from "../ui/words.js";

export const keepPage: Feature = {
  id: "keep-page",
  init(panel, signal) {
    const place = part("keep");
    const status = h("p", { class: "note", role: "status" });
    const target: KeepTarget = { document: () => documentOf(panel), say: (words) => say(status, words) };
    const copies = [
      createCopy(t("copySummary"), "text", target, summaryOnly),
      createCopy(t("copySummaryMarkdown"), "markdown", target, summaryOnly),
    ];
    const all = [createCopy(t("copyAll"), "text", target), createCopy(t("copyAllMarkdown"), "markdown", target)];
    // Asking for the document makes sure that the host has what is shown: the other tab asks it for the same.
    const print = createButton(t("print"), () => void panel.host.document().then(() => printInTab(panel.tab)));
    fillWith(
      place,
      h(
        "details",
        { class: "more keep" },
        h("summary", {}, t("keepTitle")),
        createGroup(t("copy"), [...copies, ...all]),
        createGroup(t("saveAs"), createSaves(target)),
        createGroup(t("print"), [print]),
      ),
      // Also for the buttons under answers, while this is folded.
      status,
    );

    panel.watch(({ state, reading }) => {
      const answered = state.questions.filter(({ job }) => job.phase === "done");
      const isDone = state.summary?.phase === "done";
      show(place, !reading && (isDone || answered.length > 0));
      for (const button of copies) show(button, isDone);
      for (const button of all) show(button, answered.length > 0);
      for (const { id } of answered) addCopies(id, target);
    }, signal);
    panel.update({});
  },
};

/** What there is to keep of the panel's page. */
async function documentOf(panel: Panel): Promise<PageDocument> {
  const document = await panel.host.document();
  if (!document) throw new Error("no page was read");
  return document;
}

/** Adds the buttons that copy one answer, where its article has none yet. */
function addCopies(id: number, target: KeepTarget): void {
  const article = part("question-list").querySelector(`:scope > [data-key="${id}"]`);
  if (!article || article.querySelector(".keep-answer")) return;
  const only = (document: PageDocument) => questionOnly(document, id);
  const buttons = [
    createCopy(t("copyAnswer"), "text", target, only, "quiet"),
    createCopy(t("copyAnswerMarkdown"), "markdown", target, only, "quiet"),
  ];
  put(article, h("div", { class: "keep-answer" }, ...buttons));
}

// Try it on: any summarized page with a question; paste into a text editor and into a mail.
