import type { BackendChoice, ModelInfo, ModelInput, Progress, Stage } from "@pith/web";
import { mebibytes, part, seconds, showError, stoppable } from "./dom.js";
import type { Session } from "./session.js";

const RUNS_ON: Record<string, string> = {
  webgpu: "Graphics card (WebGPU)",
  webgl2: "Graphics card (WebGL2)",
  cpu: "Processor",
};

const STAGES: Record<Stage, string> = {
  queue: "Waiting",
  download: "Downloading",
  load: "Loading",
  compile: "Preparing",
  embed: "Reading",
  prefill: "Reading",
  decode: "Writing",
};

/** The form that loads a model. */
export function initModel(session: Session): void {
  const form = part<HTMLFormElement>("model-form");
  const file = part<HTMLInputElement>("file");
  const errors = part("model-error");
  const wantsFile = (): boolean => new FormData(form).get("source") === "file";

  form.addEventListener("change", () => {
    part("file-row").hidden = !wantsFile();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const picked = wantsFile() ? [...(file.files ?? [])] : null;
    if (picked?.length === 0) {
      showError(errors, "Choose a GGUF file first.");
      return;
    }
    void stoppable(part("load-stop"), errors, (signal) => load(session, picked, signal));
  });
}

async function load(session: Session, files: File[] | null, signal: AbortSignal): Promise<void> {
  const button = part<HTMLButtonElement>("load");
  const place = part("load-progress");
  const input: ModelInput = files ?? { packaged: "models/minilm-q8_0.gguf" };
  const backend = part<HTMLSelectElement>("backend").value as BackendChoice;
  button.disabled = true;
  place.hidden = false;
  showProgress({ stage: "queue", done: 0, total: 0 });
  try {
    const model = await session.use(async (pith) => {
      // The summariser looks for its model under this name; a language model goes by the other.
      const info = await pith.load(files ? "language" : "embedding", input, { backend, signal, onProgress: showProgress });
      if (!info.encoder || !files) return info;
      await pith.unload("language");
      return pith.load("embedding", input, { backend, signal, onProgress: showProgress });
    });
    showFacts(model);
    session.tell(model);
  } finally {
    button.disabled = false;
    place.hidden = true;
  }
}

function showProgress({ stage, done, total }: Progress): void {
  const share = total > 0 ? Math.min(1, done / total) : null;
  const bar = part<HTMLProgressElement>("load-bar");
  if (share === null) bar.removeAttribute("value");
  else bar.value = share;
  part("load-words").textContent = share === null ? STAGES[stage] : `${STAGES[stage]}, ${Math.round(share * 100)} %`;
}

function showFacts(model: ModelInfo): void {
  const facts: [string, string][] = [
    ["Model", `${model.title} (${model.architecture})`],
    ["Runs on", RUNS_ON[model.backend.kind] ?? model.backend.kind],
    ["Adapter", model.backend.adapter],
    ["Why", model.backend.reason],
    ["Weights", mebibytes(model.weightsBytes)],
    ["Context", `${model.contextTokens} tokens, ${mebibytes(model.kvBytes)}`],
    ["Loaded in", seconds(model.loadMs)],
    ["Heap grew by", mebibytes(model.heapGrowthBytes)],
  ];
  const rows = facts.flatMap(([term, value]) => [
    Object.assign(document.createElement("dt"), { textContent: term }),
    Object.assign(document.createElement("dd"), { textContent: value }),
  ]);
  part("facts").replaceChildren(...rows);
  part("facts").hidden = false;
}
