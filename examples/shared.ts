// What the examples share: elements by their ids, and one piece of work with progress, a button that stops it, and errors in words.
import { type ModelInput, PithError, type Progress } from "@pith/web";
import { findModel } from "@pith/web/hub";

export const part = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

const WORDS: Record<string, string> = {
  queue: "Waiting",
  download: "Downloading the model",
  retry: "The connection broke, trying again",
  load: "Loading the model",
  compile: "Preparing the GPU",
  embed: "Reading texts",
  prefill: "Reading the prompt",
  decode: "Writing",
};

/** What work is given: both are options of every request. */
export interface How {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** Does `work`, which gets a signal and a place for progress, and says how it ended: `work` gives the sentence. */
export async function run(work: (how: How) => Promise<string>): Promise<void> {
  const [status, stop, bar] = [part("status"), part<HTMLButtonElement>("stop"), part<HTMLProgressElement>("progress")];
  const controller = new AbortController();
  const { signal } = controller;
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("button:enabled:not(#stop)")];
  const focused = document.activeElement;
  stop.onclick = () => controller.abort();
  stop.hidden = false;
  // A disabled button loses the focus.
  if (focused instanceof HTMLButtonElement) stop.focus();
  for (const button of buttons) button.disabled = true;
  bar.hidden = false;
  let said = "";
  const onProgress: How["onProgress"] = ({ stage, done, total }) => {
    const sentence = `${WORDS[stage] ?? "Working"} …`;
    // A screen reader reads every change of the status: it changes with the stage only.
    if (sentence !== said) status.textContent = said = sentence;
    if (total > 0) bar.value = done / total;
    else bar.removeAttribute("value");
  };
  try {
    bar.removeAttribute("value");
    status.textContent = "Working …";
    status.textContent = await work({ signal, onProgress });
  } catch (error) {
    if (signal.aborted) status.textContent = "Stopped.";
    else status.textContent = error instanceof PithError ? `${error.message} ${error.help}` : String(error);
  } finally {
    for (const button of buttons) button.disabled = false;
    if (document.activeElement === stop && focused instanceof HTMLElement) focused.focus();
    stop.hidden = true;
    bar.hidden = true;
  }
}

/** The model of this site that the address names (`?model=/models/m.gguf`), or the known one. */
export async function chosenModel(id: string, signal: AbortSignal): Promise<ModelInput> {
  const own = new URLSearchParams(location.search).get("model");
  return own ? { packaged: own } : findModel(id, { signal });
}
