import type { GenerationStats, ModelInfo, Pith, TunedChoice, TunedTime, TuningReport } from "@pith/web";
import { button, facts, make, part, save } from "./dom.js";
import { Job, type Run, type Work } from "./job.js";
import type { Session } from "./session.js";
import { runsOn } from "./words.js";

const PROMPT_TOKENS = 128;
const TOKENS = 33;

/** What the page has measured, as it is saved. */
interface Measured {
  browser: string;
  model: ModelInfo;
  tuning: TuningReport;
  stats: GenerationStats;
}

/** The button that tries kernels and measures a language model, and what comes of it. */
export function initBench(session: Session): void {
  let model: ModelInfo | null = null;
  const start = make("button", { type: "button", className: "primary", disabled: true }, "Tune and benchmark");
  const actions = make("div", { className: "actions" }, start);
  const hint = make("p", { className: "hint" }, "Load a language model first.");
  const place = make("div", { id: "bench-outcome", className: "outcome" });
  const title = make("h2", { id: "bench-title" }, "6. Tune and benchmark");
  const section = make("section", {}, title, hint, actions, place);
  section.setAttribute("aria-labelledby", title.id);
  part("live").before(section);

  const job = new Job(session, () => model?.title ?? "", actions, place);
  start.addEventListener("click", () => model && void job.run(measuring(session, model)));
  session.onModel((loaded) => {
    if (loaded?.encoder) return;
    model = loaded;
    start.disabled = !model;
    hint.textContent = model
      ? `Tries the GPU's kernels on ${model.title}, then reads ${PROMPT_TOKENS} tokens and writes ${TOKENS}.`
      : "Load a language model first.";
  });
}

const measuring =
  (session: Session, model: ModelInfo): Work =>
  async (run) =>
    session.use(async (pith) => {
      const tuning = await pith.tune("language", run);
      const stats = await generate(pith, model, run);
      const measured = { browser: navigator.userAgent, model, tuning, stats };
      return { said: saidOf(measured), shown: shownOf(measured) };
    });

/** Random ids, so that nothing is known from before. */
async function generate(pith: Pith, model: ModelInfo, { signal, onProgress }: Run): Promise<GenerationStats> {
  const ids = Array.from({ length: PROMPT_TOKENS }, () => Math.floor(Math.random() * model.vocab));
  const options = { maxTokens: TOKENS, promptLookup: false, signal, onProgress };
  return (await pith.generate("language", { type: "ids", ids }, options).result).stats;
}

/** Whether another shape than that of the model as it is loaded is the fastest. */
const isChanged = ({ fastest }: TunedChoice): boolean => fastest > 0;

function saidOf({ tuning: { choices } }: Measured): string {
  if (choices.length === 0) return "Measured. There is nothing to tune on this backend.";
  if (!choices.some(isChanged)) return "Measured. The kernels in use are the fastest.";
  return "Measured. Other kernels are faster here: load the model again to use them.";
}

function shownOf(measured: Measured): Node[] {
  const { model, tuning, stats } = measured;
  const perSecond = (tokens: number, ms: number): string => `${((tokens / ms) * 1000).toFixed(1)} tokens/s`;
  const pairs: [string, string][] = [
    ["Runs on", `${runsOn(model.backend.kind)}: ${tuning.device}`],
    ["Reads a prompt", perSecond(stats.promptTokens - stats.reusedTokens, stats.prefillMs)],
    ["Writes", perSecond(stats.tokens - 1, stats.decodeMs)],
  ];
  const copy = tuning.copyBytesPerS;
  if (copy) pairs.push(["Copies in its memory", `${(copy / 1e9).toFixed(1)} GB/s`]);
  const table = tuning.choices.length > 0 ? [kernels(tuning)] : [];
  const json = JSON.stringify(measured, null, 2);
  const saving = button("Save as JSON", "", () =>
    save(new Blob([json], { type: "application/json" }), "pith-benchmark.json"),
  );
  return [make("dl", {}, ...facts(pairs)), ...table, make("div", { className: "actions" }, saving)];
}

/** Every shape that was tried. */
function kernels({ choices, copyBytesPerS }: TuningReport): HTMLElement {
  const head = ["Kernel", "Shape", "Tokens", "Time", "Speed", "Chosen"].map((text) =>
    make("th", { scope: "col" }, text),
  );
  const rows = choices.flatMap(({ kernel, shapes, fastest }) =>
    shapes.flatMap(({ name, times }, at) => {
      const chosen = at === fastest ? "yes" : "";
      const row = (cells: string[]): HTMLElement => make("tr", {}, ...cells.map((text) => make("td", {}, text)));
      if (times.length === 0) return [row([kernel, name, "", "", "does not compile here", chosen])];
      return times.map((time) => {
        const cells = [String(time.tokens), `${time.ms.toFixed(2)} ms`, speed(time, copyBytesPerS)];
        return row([kernel, name, ...cells, chosen]);
      });
    }),
  );
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  return make("div", { className: "scroll", role: "group", ariaLabel: "Kernels", tabIndex: 0 }, table);
}

/** One token is bound by memory, many by arithmetic. */
function speed({ tokens, ms, weightBytes, operations }: TunedTime, copyBytesPerS: number | null): string {
  if (operations === 0) return "";
  if (tokens > 1) return `${(operations / ms / 1e6).toFixed(1)} GFLOP/s`;
  const share = copyBytesPerS ? `, ${(((weightBytes / ms) * 1e5) / copyBytesPerS).toFixed(0)} % of copying` : "";
  return `${(weightBytes / ms / 1e6).toFixed(1)} GB/s${share}`;
}
