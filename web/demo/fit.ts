import type { Fit, ModelInput, Verdict } from "@pith/web";
import { button, facts, make } from "./dom.js";
import type { Work } from "./job.js";
import type { Session } from "./session.js";
import { runSettings, takeOver } from "./settings.js";
import { CACHE_TYPES, count, runsOn, size } from "./words.js";

const VERDICTS: Record<Verdict, string> = {
  fits: "Fits.",
  fitsSmaller: "Fits with less context.",
  tooLarge: "Too large for this device.",
  noRoom: "Not enough room to store it.",
};

/** Asks whether a model fits. `again` is called when its suggestion was taken over. */
export const checking =
  (session: Session, input: ModelInput, again: () => void): Work =>
  async ({ signal, onProgress }) => {
    const fit = await session.use((pith) => pith.fit(input, { ...runSettings(), signal, onProgress }));
    const shown = [
      make("p", {}, fit.reason),
      barOf(fit),
      make("dl", {}, ...facts(factsOf(fit))),
      ...suggestionOf(fit, again),
    ];
    return { said: VERDICTS[fit.verdict], shown };
  };

const total = ({ weightsBytes, kvBytes, scratchBytes }: Fit["need"]): number => weightsBytes + kvBytes + scratchBytes;

/** What is needed beside what there is, for the eye; the words below say the same. */
function barOf({ need, budgetBytes }: Fit): HTMLElement {
  const whole = Math.max(total(need), budgetBytes, 1);
  const pieces = [need.weightsBytes, need.kvBytes, need.scratchBytes].map((bytes) => {
    const piece = make("span", { className: "piece" });
    piece.style.width = `${(bytes / whole) * 100}%`;
    return piece;
  });
  const limit = make("span", { className: "limit" });
  limit.style.insetInlineStart = `${(budgetBytes / whole) * 100}%`;
  return make(
    "div",
    { className: `memory-bar ${total(need) > budgetBytes ? "over" : ""}`, ariaHidden: "true" },
    ...pieces,
    limit,
  );
}

function factsOf(fit: Fit): [string, string][] {
  const { need } = fit;
  const free = fit.freeBytes === null ? "" : `, ${size(fit.freeBytes)} free`;
  const pairs: [string, string][] = [
    [
      "Needs",
      `${size(total(need))} of memory: weights ${size(need.weightsBytes)}, ${count(fit.contextTokens)} tokens of context ${size(need.kvBytes)}, scratch ${size(need.scratchBytes)}`,
    ],
    ["There is", `${size(fit.budgetBytes)}. ${fit.budgetReason}`],
    ["Download", fit.downloadBytes > 0 ? `${size(fit.downloadBytes)}${free}` : "nothing, it is here already"],
    ["Runs on", `${runsOn(fit.backend.kind)}. ${fit.backend.reason}`],
  ];
  if (fit.couldDelete.length > 0) pairs.push(["To make room", `delete ${fit.couldDelete.join(", ")}`]);
  return pairs;
}

function suggestionOf({ suggestion }: Fit, again: () => void): Node[] {
  if (!suggestion) return [];
  const words = `${count(suggestion.contextTokens)} tokens of context, stored ${CACHE_TYPES[suggestion.cacheType]}`;
  const take = button("Use this", "", () => {
    takeOver(suggestion);
    again();
  });
  return [
    make("p", {}, `This fits: ${words}. It needs ${size(total(suggestion.need))}.`),
    make("div", { className: "actions" }, take),
  ];
}
