// A GGUF file of the reader's own, chosen or dropped.
import { toFailure } from "../../failure.js";
import type { ModelsLink } from "../../models/link.js";
import { createWorkView } from "../../models/work-view.js";
import type { Work } from "../../models-wire.js";
import { h, put, set, show } from "../../ui/dom.js";
import { t } from "../../ui/words.js";
import { importFiles } from "./files.js";
import { createNextStep } from "./next-step.js";

export function initFile(link: ModelsLink, section: HTMLElement): void {
  const input = h("input", { type: "file", id: "file", class: "unseen", accept: ".gguf", multiple: true });
  const pick = h("label", { for: "file", class: "secondary file-button" }, t("modelsFileChoose"));
  const words = h("p", { class: "note" }, t("modelsFileNote"));
  const stay = h("p", { class: "note" }, t("modelsFileStay"));
  let stop = new AbortController();
  let files: File[] = [];
  const view = createWorkView({
    pause: () => {},
    resume: () => {},
    cancel: () => stop.abort(),
    retry: () => void take(files),
    repair: () => {},
  });
  const drop = h(
    "div",
    { class: "drop" },
    h("p", {}, t("modelsFileDrop")),
    h("p", {}, input, pick),
    words,
    stay,
    view.element,
  );
  put(section, drop);
  show(stay, false);
  const next = createNextStep(link);
  put(drop, next.element);

  async function take(chosen: File[]): Promise<void> {
    if (chosen.length === 0 || !stay.hidden) return;
    files = chosen;
    const title = chosen[0]?.name ?? "";
    const { signal } = (stop = new AbortController());
    const draw = (work: Work | null): void => view.draw(work, title);
    next.offer(null);
    show(stay, true);
    draw({ kind: "import", phase: "working", paused: false, progress: { stage: "queue", done: 0, total: 0 } });
    try {
      const stored = await importFiles(chosen, signal, (progress) => {
        draw({ kind: "import", phase: "working", paused: false, progress });
      });
      draw(null);
      next.offer(stored.name);
      link.look();
    } catch (error) {
      draw(signal.aborted ? null : { kind: "import", phase: "failed", error: toFailure(error) });
    } finally {
      show(stay, false);
      input.value = "";
    }
  }

  input.addEventListener("change", () => void take([...(input.files ?? [])]));
  // The whole page takes a file, so that the browser does not open it by mistake.
  for (const type of ["dragover", "dragleave", "drop"] as const) {
    document.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      set(drop, "data-over", type === "dragover");
      if (type === "drop") void take([...event.dataTransfer.files]);
    });
  }
}
