import { part, showError } from "./dom.js";
import { checking } from "./fit.js";
import { Job, type Work } from "./job.js";
import { loading } from "./load.js";
import type { Session } from "./session.js";

/** The form for files of the user's own, picked or dropped anywhere on the page. */
export function initLocal(session: Session): void {
  const form = part<HTMLFormElement>("local-form");
  const picker = part<HTMLInputElement>("file");
  const place = part("local-outcome");
  const job = new Job(session, () => picker.files?.[0]?.name ?? "", part("local-actions"), place);
  const start = (work: (files: File[]) => Work): void => {
    const files = [...(picker.files ?? [])];
    if (files.length > 0) void job.run(work(files));
    else showError(place, "Choose a GGUF file first.");
  };
  const check = (): void => start((files) => checking(session, files, check));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const keep = new FormData(form).get("keep") === "copy";
    start((files) => (keep ? keeping(session, files) : loading(session, files)));
  });
  part("local-check").addEventListener("click", check);
  acceptDrops(part("drop"), picker);
}

const keeping =
  (session: Session, files: File[]): Work =>
  async (run, force) => {
    const { name } = await session.use((pith) => pith.download(files, run));
    return loading(session, { stored: name })(run, force);
  };

function acceptDrops(zone: HTMLElement, picker: HTMLInputElement): void {
  const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!relatedTarget) zone.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    zone.classList.remove("over");
    if (!hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    picker.files = event.dataTransfer.files;
    picker.focus();
  });
}
