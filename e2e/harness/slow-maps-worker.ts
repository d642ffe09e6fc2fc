// A worker in a browser that looks at its read-backs on a timer, as Firefox does, unless something is submitted behind them.

import type { Page } from "@playwright/test";
import { patchedWorker } from "./patched-worker.ts";
import type { Site } from "./server.ts";

/** How many read-backs each has ended. */
export interface Ended {
  timer: number;
  submission: number;
}

/** Runs in the worker before its own script. */
function patch(submissionsHelp: boolean): void {
  const ended: Ended = { timer: 0, submission: 0 };
  let waiting: (() => void)[] = [];
  const end = (by: keyof Ended) => {
    ended[by] += waiting.length;
    for (const resolve of waiting.splice(0)) resolve();
  };
  setInterval(() => end("timer"), 100);

  const mapAsync = GPUBuffer.prototype.mapAsync;
  GPUBuffer.prototype.mapAsync = async function (...args) {
    await mapAsync.apply(this, args);
    await new Promise<void>((resolve) => (waiting = [...waiting, resolve]));
  };
  const submit = GPUQueue.prototype.submit;
  GPUQueue.prototype.submit = function (buffers) {
    submit.call(this, buffers);
    if (submissionsHelp) end("submission");
  };

  const told = new BroadcastChannel("slow-maps");
  told.onmessage = () => told.postMessage(ended);
}

/** The address of such a worker. */
export const slowMapsWorker = (site: Site, options: { submissionsHelp: boolean }): string =>
  patchedWorker(site, patch, options.submissionsHelp);

/** What has ended read-backs so far. */
export const whatEndedMaps = (page: Page): Promise<Ended> =>
  page.evaluate(
    () =>
      new Promise<Ended>((resolve) => {
        const channel = new BroadcastChannel("slow-maps");
        channel.onmessage = ({ data }) => (channel.close(), resolve(data as Ended));
        channel.postMessage(null);
      }),
  );
