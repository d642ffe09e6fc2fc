// Work on a model as a person sees it: progress with pause and cancel, a result, or what went wrong and what to do.
import type { Fit, WriterTier } from "@pith/web";
import type { TestResult, Work, WorkResult } from "../models-wire.js";
import { bytes, decimal, speed, timeLeft } from "../ui/amounts.js";
import { fillWith, h, say, set, show } from "../ui/dom.js";
import { drawFailure } from "../ui/job.js";
import { called, number, progressWords, seconds, t } from "../ui/words.js";
import { named } from "./failures.js";

/** What the buttons do. */
export interface WorkActions {
  pause(): void;
  resume(): void;
  cancel(): void;
  /** Once more, or although it does not fit. */
  retry(work: Work, force: boolean): void;
  repair(): void;
}

export interface WorkView {
  element: HTMLElement;
  draw(work: Work | null, title: string): void;
}

export function createWorkView(actions: WorkActions): WorkView {
  const words = h("p", { class: "progress-words" });
  const bar = h("progress", { max: 1 });
  const pause = button("quiet", () => (isPaused ? actions.resume() : actions.pause()));
  const cancel = button("quiet", () => actions.cancel());
  const progress = h("div", { class: "work" }, words, bar, h("div", { class: "actions" }, pause, cancel));
  const failure = h("div", {});
  const result = h("div", { class: "result" });
  const element = h("div", { class: "work-view" }, progress, failure, result);
  let isPaused = false;
  let shown = "";
  show(progress, false);

  return {
    element,
    draw(work, title) {
      const working = work?.phase === "working" ? work : null;
      show(progress, working !== null);
      if (working) {
        const { stage, done, total } = working.progress;
        isPaused = working.paused;
        say(words, workWords(working));
        set(bar, "value", total > 0 ? Math.min(1, done / total) : null);
        set(bar, "aria-label", t("modelsProgressOf", called(title)));
        set(bar, "data-stage", stage);
        say(pause, isPaused ? t("modelsResume") : t("modelsPause"));
        set(pause, "aria-label", isPaused ? t("modelsResumeOf", called(title)) : t("modelsPauseOf", called(title)));
        say(cancel, t("cancel"));
        set(cancel, "aria-label", t("modelsCancelOf", called(title)));
        show(pause, working.kind === "download" || working.kind === "repair");
      }
      const error = work?.phase === "failed" ? named(work.error) : null;
      const again = { label: t("retry"), run: () => work && actions.retry(work, false) };
      drawFailure(failure, error, error ? [again] : []);
      const key = work?.phase === "done" || work?.phase === "stopped" ? JSON.stringify(work) : "";
      if (key === shown) return;
      shown = key;
      fillWith(result, ...(work ? ending(work, title, actions) : []));
    },
  };
}

function button(kind: string, run: () => void): HTMLButtonElement {
  const made = h("button", { type: "button", class: kind });
  made.addEventListener("click", run);
  return made;
}

/** "Downloading · 45 MB of 98 MB · 12 MB a second · about 5 s left". */
function workWords({ kind, progress, paused }: Extract<Work, { phase: "working" }>): string {
  const { stage, done, total, bytesPerS, leftMs } = progress;
  const amount = total > 0 ? t("modelsAmount", bytes(done), bytes(total)) : null;
  const isMoving = stage === "download" && !paused;
  const parts = [
    paused ? t("progressPaused") : stageWords(kind, stage, leftMs, done, total),
    ["download", "paused", "verify", "retry"].includes(stage) || paused ? amount : null,
    isMoving && bytesPerS ? speed(bytesPerS) : null,
    isMoving && leftMs !== undefined ? timeLeft(leftMs) : null,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

function stageWords(
  kind: Work["kind"],
  stage: Extract<Work, { phase: "working" }>["progress"]["stage"],
  leftMs: number | undefined,
  done: number,
  total: number,
): string {
  if (stage === "retry" && leftMs !== undefined) return t("modelsRetryIn", seconds(leftMs));
  if (kind === "import" && stage !== "verify") return t("modelsCopying");
  if (stage === "download") return kind === "check" ? t("modelsChecking") : t("modelsDownloading");
  if (stage === "verify") return t("modelsVerifying");
  return kind === "check" ? t("modelsChecking") : progressWords(stage, done, total);
}

/** What work that ended leaves on the page. */
function ending(work: Work, title: string, actions: WorkActions): HTMLElement[] {
  if (work.phase === "stopped") return work.kind === "download" ? [note(t("modelsStopped"))] : [];
  if (work.phase !== "done") return [];
  const insist = labelled(t("modelsDownloadAnyway"), t("modelsDownloadAnywayOf", called(title)), () =>
    actions.retry(work, true),
  );
  const repair = labelled(t("modelsRepair"), t("modelsRepairOf", called(title)), () => actions.repair());
  const { result } = work;
  if (result.type === "fit") return fitWords(result.fit, work.kind === "download" ? insist : null);
  return resultWords(result, repair);
}

function resultWords(result: Exclude<WorkResult, { type: "fit" }>, repair: HTMLElement): HTMLElement[] {
  switch (result.type) {
    case "stored":
      return [note(t("modelsDownloaded"))];
    case "verified":
      if (result.damaged > 0) return [note(t("modelsDamaged", number(result.damaged)), "bad"), repair];
      if (result.repairedBytes > 0) return [note(t("modelsRepaired", bytes(result.repairedBytes)), "good")];
      return [note(t("modelsSound"), "good")];
    case "tested":
      return testWords(result.test);
    // The verdict stands beside the choice.
    case "judged":
    case "deleted":
      return [];
  }
}

/** The message that says what a model may write. */
export const TIERS: Record<WriterTier, string> = {
  write: "tier_write",
  shorten: "tier_shorten",
  chat: "tier_chat",
  none: "tier_none",
};

function testWords({ text, tokensPerS, firstTokenMs, loadMs, backend, tier }: TestResult): HTMLElement[] {
  const facts = [
    t("modelsTestSpeed", decimal(tokensPerS)),
    t("modelsTestFirst", seconds(firstTokenMs)),
    t("modelsTestLoad", seconds(loadMs)),
    backendName(backend.kind),
  ];
  const written = h("blockquote", { dir: "auto" }, text.trim() || t("modelsTestEmpty"));
  return [written, note(t(TIERS[tier])), note(facts.join(" · "))];
}

export const backendName = (kind: string): string =>
  kind === "webgpu"
    ? t("settingsBackend_webgpu")
    : kind === "webgl2"
      ? t("settingsBackend_webgl2")
      : t("settingsBackend_cpu");

/** The engine's verdict. Its reason is its own sentence, in English. */
function fitWords(fit: Fit, insist: HTMLElement | null): HTMLElement[] {
  const fits = fit.verdict === "fits" || fit.verdict === "fitsSmaller";
  const sentence =
    fit.verdict === "fits"
      ? t("modelsFits")
      : fit.verdict === "fitsSmaller"
        ? t("modelsFitsSmaller")
        : fit.verdict === "noRoom"
          ? t("modelsNoRoom", bytes(fit.downloadBytes), bytes(fit.freeBytes ?? 0))
          : t("modelsTooLarge");
  const reason = fit.verdict === "noRoom" ? null : h("p", { class: "note", lang: "en", dir: "ltr" }, fit.reason);
  const isEncoder = fit.encoder ? note(t("modelsIsEncoder")) : null;
  const rest = [reason, isEncoder, fit.verdict === "tooLarge" ? insist : null].filter((one) => one !== null);
  return [note(sentence, fits ? "good" : "bad"), ...rest];
}

const note = (text: string, mood = ""): HTMLElement => h("p", { class: `said ${mood}`.trim() }, text);

function labelled(label: string, name: string, run: () => void): HTMLElement {
  const made = button("secondary", run);
  say(made, label);
  set(made, "aria-label", name);
  return h("div", { class: "actions" }, made);
}
