// The engine's worker with a function run before its script.

import type { ServerResponse } from "node:http";
import type { Site } from "./server.ts";

let count = 0;

/** Serves such a worker and gives its address. The function is sent as text: it can use its arguments only. */
export function patchedWorker<T extends unknown[]>(site: Site, patch: (...args: T) => void, ...args: T): string {
  const path = `/patched-worker/${(count += 1)}`;
  const javascript = (text: string) => (_: unknown, response: ServerResponse) =>
    void response.setHeader("content-type", "text/javascript").end(text);
  site.handle(`${path}.js`, javascript(`import "${path}-patch.js";\nimport "/pith/worker.js";`));
  site.handle(
    `${path}-patch.js`,
    javascript(`(${patch.toString()})(${args.map((arg) => JSON.stringify(arg)).join()});`),
  );
  return `${path}.js`;
}
