// A worker whose GPU is lost at a chosen call of a chosen phase.

import type { Page } from "@playwright/test";
import { patchedWorker } from "./patched-worker.ts";
import type { Site } from "./server.ts";

export type Phase = "load" | "compile" | "prefill" | "decode" | "embed";

/** What happened since the worker was armed. */
export interface Lost {
  /** Calls to the GPU in each phase. */
  calls: Partial<Record<Phase, number>>;
  /** Devices and contexts that were taken away. */
  losses: number;
  /** From the loss to the first piece of work after it; null where there was none. */
  recovery_ms: number | null;
}

/** Runs in the worker before its own script. */
function patch(): void {
  type Method = (this: unknown, ...args: unknown[]) => unknown;
  let current: string | null = null;
  let calls: Record<string, number> = {};
  let plan: [phase: string, nth: number][] = [];
  let losses = 0;
  let lost_ms: number | null = null;
  let recovery_ms: number | null = null;
  let lose: (() => void) | null = null;

  const told = new BroadcastChannel("losing");
  told.onmessage = ({ data }: MessageEvent<[string, number][] | null>) => {
    if (data === null) return told.postMessage({ calls, losses, recovery_ms });
    [plan, calls, losses, lost_ms, recovery_ms] = [data, {}, 0, null, null];
    told.postMessage("armed");
  };

  const phases = ["load", "compile", "prefill", "embed"];
  const post = postMessage.bind(globalThis);
  globalThis.postMessage = ((message: { event: { type: string; stage?: string; done?: number; total?: number } }) => {
    const { type, stage = "", done = 0, total = 0 } = message.event;
    if (type === "progress") current = phases.includes(stage) ? stage : null;
    // The prompt is read. A model without a tokenizer shows no text.
    if (stage === "prefill" && done > 0 && done === total) current = "decode";
    if (type === "done" || type === "failed") current = null;
    const works = type === "token" || type === "done" || (done > 0 && (stage === "prefill" || stage === "embed"));
    if (works && lost_ms !== null) recovery_ms ??= performance.now() - lost_ms;
    post(message);
  }) as typeof postMessage;

  // Its progress comes after the work.
  addEventListener("message", ({ data }) => {
    if (data.request?.type === "embed") current = "embed";
  });

  const count = () => {
    if (current === null) return;
    calls[current] = (calls[current] ?? 0) + 1;
    const [next] = plan;
    if (!next || next[0] !== current || calls[current]! < next[1] || !lose) return;
    plan = plan.slice(1);
    calls = {};
    losses += 1;
    lost_ms = performance.now();
    const take = lose;
    lose = null;
    take();
  };
  const watch = (methods: object, names: string[], before: (self: unknown) => void = () => {}) => {
    const of = methods as Record<string, Method>;
    for (const name of names) {
      const real = of[name]!;
      of[name] = function (...args) {
        before(this);
        count();
        return real.apply(this, args);
      };
    }
  };

  if (typeof GPUAdapter !== "undefined") {
    const adapter = GPUAdapter.prototype as unknown as Record<string, Method>;
    const request = adapter.requestDevice!;
    adapter.requestDevice = async function (...args) {
      const device = (await request.apply(this, args)) as { destroy(): void };
      lose = () => device.destroy();
      return device;
    };
    watch(GPUQueue.prototype, ["submit", "writeBuffer"]);
    watch(GPUDevice.prototype, ["createBuffer", "createComputePipelineAsync", "createBindGroup", "popErrorScope"]);
    watch(GPUBuffer.prototype, ["mapAsync"]);
  }
  const uses = (context: unknown) => {
    const gl = context as WebGL2RenderingContext;
    if (!gl.isContextLost()) lose = () => gl.getExtension("WEBGL_lose_context")!.loseContext();
  };
  watch(
    WebGL2RenderingContext.prototype,
    ["drawArrays", "drawArraysInstanced", "texSubImage2D", "texStorage2D", "linkProgram", "fenceSync", "readPixels"],
    uses,
  );
}

/** The address of such a worker. */
export const losingWorker = (site: Site): string => patchedWorker(site, patch);

const tell = <T>(page: Page, message: unknown): Promise<T> =>
  page.evaluate(
    (message) =>
      new Promise<T>((resolve) => {
        const channel = new BroadcastChannel("losing");
        channel.onmessage = ({ data }) => (channel.close(), resolve(data as T));
        channel.postMessage(message);
      }),
    message,
  );

/** Takes the GPU away at these calls, one after the other; each counts from the loss before it. */
export const loseAt = async (page: Page, ...plan: [phase: Phase, nth: number][]): Promise<void> =>
  void (await tell(page, plan));

/** What happened since. */
export const whatWasLost = (page: Page): Promise<Lost> => tell(page, null);
