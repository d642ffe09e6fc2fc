// The script that runs before everything else in a page: it makes our classes global, in place of the browser's.

import { build } from "esbuild";
import { basename, resolve } from "node:path";
import { ROOT } from "../harness/paths.ts";

/**
 * Short, so that a test fills it soon. Tests of the overflow compute how often a text of about 75 tokens fits, and need a rest:
 * six times and once more must be too much, and on the echo model, whose answer is as long as its question, three times.
 */
const CONTEXT_TOKENS = { model: 480, echo: 208 };
let bundle: Promise<string> | undefined;

/** The script, for one of the two models of `page.ts`. */
export async function initScript(origin: string, model: string, kind: "model" | "echo"): Promise<string> {
  bundle ??= bundled(origin);
  const options = { kind, model: `/models/${basename(model)}`, contextTokens: CONTEXT_TOKENS[kind] };
  return `${await bundle}\nif (location.protocol !== "about:") pithWpt.start(${JSON.stringify(options)});`;
}

async function bundled(origin: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [resolve(ROOT, "e2e/wpt/page.ts")],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "pithWpt",
    define: { "import.meta.url": JSON.stringify(`${origin}/client/dist/index.js`) },
    logLevel: "silent",
  });
  return outputFiles[0]!.text;
}
