import type { CacheType, Progress, Stage } from "@pith/web";

const decimal = (value: number): string =>
  new Intl.NumberFormat("en", { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);

export const count = (value: number): string => new Intl.NumberFormat("en").format(value);
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;

/** 12 kB, 230 MB, 1.1 GB, never broken over two lines. */
export function size(bytes: number): string {
  if (bytes < 999.5e3) return `${decimal(Math.max(bytes, 0) / 1e3)}\u00a0kB`;
  return bytes < 999.5e6 ? `${decimal(bytes / 1e6)}\u00a0MB` : `${decimal(bytes / 1e9)}\u00a0GB`;
}

/** How long something takes yet, as people say it. */
export function timeLeft(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 10_000) return "a few seconds left";
  if (minutes < 1) return "less than a minute left";
  if (minutes < 60) return `about ${minutes} ${minutes === 1 ? "minute" : "minutes"} left`;
  const hours = Math.round(minutes / 60);
  return `about ${hours} ${hours === 1 ? "hour" : "hours"} left`;
}

/** today, 3 days ago. */
export function ago(ms: number): string {
  const days = Math.floor((Date.now() - ms) / 86_400_000);
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.max(days, 0), "day");
}

/** English, French and 3 more. */
export function languages(tags: readonly string[]): string {
  const names = tags.map((tag) => new Intl.DisplayNames("en", { type: "language" }).of(tag) ?? tag);
  const few = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  return new Intl.ListFormat("en").format(few);
}

const RUNS_ON: Record<string, string> = {
  webgpu: "GPU (WebGPU)",
  webgl2: "GPU (WebGL2)",
  cpu: "Processor",
};

export const runsOn = (kind: string): string => RUNS_ON[kind] ?? kind;

export const CACHE_TYPES: Record<CacheType, string> = {
  f32: "full precision (F32)",
  f16: "half the memory (F16)",
  q8_0: "a quarter of the memory (Q8_0)",
  q4_0: "a seventh of the memory (Q4_0)",
};

const STAGES: Record<Stage, string> = {
  queue: "Waiting",
  elsewhere: "Another tab is downloading this model",
  download: "Downloading",
  paused: "Paused",
  retry: "Connection lost",
  verify: "Checking every byte",
  recover: "The GPU was lost; loading the model again",
  load: "Loading",
  compile: "Preparing",
  embed: "Reading",
  test: "Testing the model",
  tune: "Trying kernels",
  prefill: "Reading",
  decode: "Writing",
};

/** What is being done, without numbers. */
export const stageWords = (stage: Stage): string => STAGES[stage];

/** The part that is done, or null while nobody knows. */
export const share = ({ done, total }: Progress): number | null => (total > 0 ? Math.min(1, done / total) : null);

const COUNTS_BYTES: readonly Stage[] = ["elsewhere", "download", "paused", "retry", "verify"];

/** What is being done, how far it is, how fast, and for how long yet. */
export function progressWords(progress: Progress): string {
  const { stage, done, total, bytesPerS, leftMs } = progress;
  const part = share(progress);
  const next = leftMs === undefined ? "" : `; next attempt in ${Math.max(1, Math.ceil(leftMs / 1000))} s`;
  const words = [STAGES[stage] + (stage === "retry" ? next : part === null ? "" : `, ${Math.floor(part * 100)} %`)];
  if (COUNTS_BYTES.includes(stage) && done > 0) words.push(total > 0 ? `${size(done)} of ${size(total)}` : size(done));
  if (stage === "download" && bytesPerS) words.push(`${size(bytesPerS)}/s`);
  if (stage === "download" && leftMs !== undefined) words.push(timeLeft(leftMs));
  return words.join(" · ");
}
