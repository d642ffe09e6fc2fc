// What the browser's processes use: memory and processor time, from /proc. Other systems than Linux give null.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** A process of the browser. */
interface Process {
  pid: number;
  /** Such as "renderer" or "gpu-process"; "browser" for the first. */
  type: string;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It ended meanwhile.
    return "";
  }
};

/** All descendants of this program that are processes of a browser. */
export function browserProcesses(): Process[] {
  if (process.platform !== "linux") return [];
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    // After the name in brackets, which may hold anything: state, parent.
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : "";
    const parent = /^\S+ \(.*\) \S (\d+) /s.exec(stat)?.[1];
    if (parent) parents.set(Number(name), Number(parent));
  }
  const descends = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === process.pid || (parent !== undefined && descends(parent));
  };
  return [...parents.keys()].filter(descends).map((pid) => {
    const type = /--type=([\w-]+)/.exec(read(`/proc/${pid}/cmdline`).replaceAll("\0", " "))?.[1];
    return { pid, type: type ?? "browser" };
  });
}

/** Processor time that they have used so far, in steps of 10 ms; null where the system does not say. */
export function cpuMs(): number | null {
  const processes = browserProcesses();
  if (processes.length === 0) return null;
  return processes.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
}

/** Processor time that one process has used so far, in steps of 10 ms. */
export function cpuMsOf(pid: number): number {
  // Fields 14 and 15: in user and in system mode, in hundredths of a second, threads that have ended included.
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ");
  return 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0));
}

/** Memory of all renderers: what they share with each other is counted once. */
export function renderersPssKib(): number {
  const renderers = browserProcesses().filter(({ type }) => type === "renderer");
  return renderers.reduce((sum, { pid }) => sum + pssKib(pid), 0);
}

const pssKib = (pid: number): number => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);

const statusKib = (pid: number, key: string): number =>
  Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(read(`/proc/${pid}/status`))?.[1] ?? 0);

/** Follows the peak of the renderer that a page starts, and of the GPU's process, from before the page is opened. */
export class MemoryWatch {
  readonly #others: Set<number>;
  readonly #gpuBefore_kib: number;
  readonly #gpuIdle_kib: number;

  /** `gpuIdle_kib`: what the GPU's process took before any engine ran, see `gpuKib`. */
  constructor(gpuIdle_kib: number) {
    const processes = browserProcesses();
    this.#others = new Set(processes.filter(({ type }) => type === "renderer").map(({ pid }) => pid));
    this.#gpuIdle_kib = gpuIdle_kib;
    this.#gpuBefore_kib = gpuKib();
    for (const { pid } of processes.filter(({ type }) => type === "gpu-process")) {
      try {
        // Sets the peak back to what is taken now.
        writeFileSync(`/proc/${pid}/clear_refs`, "5");
      } catch {
        // Not permitted: then the peak is that since the browser's start.
      }
    }
  }

  /** Peak of the page's renderer and, without what another engine holds there, of the GPU's process. */
  peakMib(): number | null {
    const processes = browserProcesses();
    const own = processes.filter(({ pid, type }) => type === "renderer" && !this.#others.has(pid));
    const renderer_kib = Math.max(0, ...own.map(({ pid }) => statusKib(pid, "VmHWM")));
    if (renderer_kib === 0) return null;
    const gpu_kib = Math.max(0, ...gpus(processes).map((pid) => statusKib(pid, "VmHWM"))) - this.#gpuBefore_kib;
    return (renderer_kib + this.#gpuIdle_kib + Math.max(0, gpu_kib)) / 1024;
  }
}

const gpus = (processes: Process[]): number[] =>
  processes.filter(({ type }) => type === "gpu-process").map(({ pid }) => pid);

/** What the GPU's process takes now. */
export const gpuKib = (): number => Math.max(0, ...gpus(browserProcesses()).map((pid) => statusKib(pid, "VmRSS")));

/** What the largest process of a type takes now: of renderers the one whose worker holds a model. */
export const residentKib = (type: "renderer" | "gpu-process"): number => largestKib(type, ["VmRSS"]);

/**
 * What it has of its own, and shares with the GPU's process. Pages of the browser's files are no part of it: they come as its code
 * is used.
 */
export const ownKib = (type: "renderer" | "gpu-process"): number => largestKib(type, ["RssAnon", "RssShmem"]);

function largestKib(type: string, keys: string[]): number {
  const processes = browserProcesses().filter((process) => process.type === type);
  return Math.max(0, ...processes.map(({ pid }) => keys.reduce((sum, key) => sum + statusKib(pid, key), 0)));
}
