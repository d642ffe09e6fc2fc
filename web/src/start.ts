// Starts the worker: with a bundler, without one, and from another origin.

import type { Endpoint } from "./channel.js";
import { clientErrors, PithError } from "./errors.js";
import { toUrl } from "./input.js";

/** The client's URL after Vite 5 to 7 have copied it into their cache, without the package's other files. */
const PREBUNDLED = /(\/node_modules\/)\.[^]*\/deps\/[^/]*$/;

/** Bundlers recognize this expression: they bundle the worker and replace the URL. */
const startBundled = (): Worker =>
  new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "pith" });

/** A worker that was started. */
export interface Started {
  worker: Endpoint;
  /** URL of its script, unless a bundler chose it. */
  url?: string | undefined;
}

/** What the content security policy forbade since the last worker was started. */
let forbidden: string | undefined;
/** One function, which is added once: a listener of each worker would keep it. */
const note = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
  forbidden = `content security policy: ${effectiveDirective} forbids ${blockedURI}`;
};

/** Starts a worker from a URL, by default from the script that belongs to this client. */
export function startWorker(given: string | URL | undefined): Started {
  try {
    const script = given ?? findScript();
    const url = script && toUrl(script);
    forbidden = undefined;
    addEventListener("securitypolicyviolation", note);
    return { worker: url ? startFrom(url) : startBundled(), url };
  } catch (error) {
    throw error instanceof PithError ? error : clientErrors.start(String(error));
  }
}

/** URL of the worker's script; undefined if a bundler has replaced it. */
function findScript(): string | undefined {
  if (typeof Worker === "undefined") throw clientErrors.start("no Worker: not a browser");
  // Vite replaces it in its cache too, by a file that is not there.
  if (!/["'`](\.|[^"'`]*\/deps)\/worker\.js/.test(String(startBundled))) return undefined;
  // webpack would write a path of the build machine into the bundle.
  const here = (import.meta as { webpack?: number }).webpack ? "" : (import.meta.url ?? "");
  return here.replace(PREBUNDLED, "$1@pith/web/dist/").replace(/[^/]*$/, "worker.js");
}

/** A worker's script must come from the page's origin, but the modules that it imports need not. */
function startFrom(url: string): Worker {
  const isForeign = url.startsWith("http") && new URL(url).origin !== location.origin;
  const script = new Blob([`import ${JSON.stringify(url)}`], { type: "text/javascript" });
  return new Worker(isForeign ? URL.createObjectURL(script) : url, { type: "module", name: "pith" });
}

/** Fails with what is known about a worker that did not start. */
export async function explain(error: unknown, { url }: Started): Promise<never> {
  if (!(error instanceof PithError) || error.code !== "worker_start") throw error;
  const ask = (url: string): Promise<string> =>
    fetch(url).then(({ status, headers }) => `${status} ${headers.get("content-type")}`, String);
  const reason = forbidden ?? (url && `${url}: ${await ask(url)}`);
  throw clientErrors.start(reason ? `${error.detail}; ${reason}` : error.detail);
}
