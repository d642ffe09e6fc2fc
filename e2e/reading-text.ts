// What the extension reads of pages, PDF and text files, in one browser.
//   tsx reading-text.ts [--browser firefox] FILE_OR_URL...
// Each becomes a line of JSON: {"page", "notRead": {REASON: COUNT}, "problem"}. `page` is null where there is a problem.

import { statSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { serve, type Site } from "./harness/server.ts";
import { openReader, type Reader } from "./reading/browser.ts";
import { fileHandler } from "./reading/file-handler.ts";
import type { Reading } from "./reading/reading.ts";

const { values: options, positionals: inputs } = parseArgs({
  allowPositionals: true,
  options: { browser: { type: "string", default: "chromium" } },
});
const { browser } = options;
if (browser !== "chromium" && browser !== "firefox") throw new Error(`--browser ${browser}: chromium or firefox`);
if (inputs.length === 0) throw new Error("FILE_OR_URL is needed");

/** Reads one input; `number` tells folders of the same name apart. */
async function read(reader: Reader, site: Site, input: string, number: number): Promise<Reading> {
  if (/^https?:\/\//i.test(input)) return reader.read(input);
  const file = resolve(input);
  if (!statSync(file).isFile()) throw new Error(`${input} is no file`);
  if (extname(file).toLowerCase() === ".pdf") return reader.readPdf(file);
  const folder = `/${number}/`;
  site.mount(folder, dirname(file));
  site.handle(`${folder}${basename(file)}`, fileHandler(file));
  return reader.read(site.url(`${folder}${encodeURIComponent(basename(file))}`));
}

function lineOf(reading: Reading): object {
  if ("problem" in reading) return { page: null, notRead: {}, problem: reading.problem };
  const { page, coverage } = reading;
  return { page, notRead: Object.fromEntries(coverage.leftOut.map(({ kind, count }) => [kind, count])), problem: null };
}

const site = await serve({});
const reader = await openReader("short", browser);
try {
  for (const [number, input] of inputs.entries()) {
    const reading = await read(reader, site, input, number).catch((error: unknown) => ({ problem: String(error) }));
    console.log(JSON.stringify(lineOf(reading)));
  }
} finally {
  await reader.close();
  await site.close();
}
