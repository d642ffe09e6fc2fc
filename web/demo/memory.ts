import type { MemoryReport, ModelInfo } from "@pith/web";
import { button, facts, make, part, showError } from "./dom.js";
import { type Row, Rows } from "./rows.js";
import type { Session, View } from "./session.js";
import { count, runsOn, seconds, size } from "./words.js";

/** A model that is resident, or that left the memory for a while. */
interface Entry {
  name: string;
  title: string;
  memory: MemoryReport["models"][number] | null;
}

/** The table of what is resident where, and the facts of the model that was loaded last. */
export function initMemory(session: Session): void {
  const rows = new Rows<Entry>(
    part("memory-rows"),
    ({ name }) => name,
    (entry) => memoryRow(session, entry),
  );
  session.onView((view) => {
    const entries = entriesOf(view);
    rows.draw(entries);
    part("memory-table").hidden = entries.length === 0;
    part("nothing-loaded").hidden = entries.length > 0;
    part("memory-rest").textContent = restOf(view.memory);
    if (entries.length === 0) part("facts").hidden = true;
  });
  session.onModel((model) => {
    if (model) showFacts(model);
  });
}

function entriesOf({ models, memory }: View): Entry[] {
  const title = (name: string): string => models.find((model) => model.name === name)?.title ?? name;
  return [
    ...memory.models.map((one) => ({ name: one.name, title: title(one.name), memory: one })),
    ...memory.idle.map((name) => ({ name, title: title(name), memory: null })),
  ];
}

function memoryRow(session: Session, { name, title }: Entry): Row<Entry> {
  const head = make("th", { scope: "row" }, title);
  const cells = Array.from({ length: 4 }, () => make("td"));
  const unload = button("Unload", title, () => {
    unload.disabled = true;
    session
      .use((pith) => pith.unload(name))
      .then(() => name === "language" && session.tell(null))
      .catch((error: unknown) => showError(part("memory-error"), error))
      .finally(() => void session.refresh().catch(() => (unload.disabled = false)));
  });
  return {
    element: make("tr", {}, head, ...cells, make("td", {}, make("div", { className: "actions" }, unload))),
    update: ({ memory }) => {
      const { weightsBytes = 0, kvBytes = 0, scratchBytes = 0 } = memory?.memory ?? {};
      const where = memory ? runsOn(memory.kind) : "unloaded while idle; reloads on use";
      [where, size(weightsBytes), size(kvBytes), size(scratchBytes)].forEach(
        (text, at) => (cells[at]!.textContent = text),
      );
    },
  };
}

function restOf({ stagingBytes, wasmHeapBytes }: MemoryReport): string {
  return `Beside models: ${size(stagingBytes)} through which weights pass; WebAssembly memory ${size(wasmHeapBytes)}, with the models that run on the processor in it.`;
}

function showFacts(model: ModelInfo): void {
  const pairs: [string, string][] = [
    ["Loaded last", `${model.title} (${model.architecture}), in ${seconds(model.loadMs)}`],
    ["Runs on", `${runsOn(model.backend.kind)}: ${model.backend.device}`],
    ["Why", model.backend.reason],
    ["Context", `${count(model.contextTokens)} tokens`],
  ];
  part("facts").replaceChildren(...facts(pairs));
  part("facts").hidden = false;
}
