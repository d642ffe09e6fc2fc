// Which files are tests, and the pages that run them.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Site } from "../harness/server.ts";

const HARNESS = ["testharness.js"];

/** Test files of windows below `folder`/ai, as paths from `folder`. */
export function findTests(folder: string): string[] {
  const all = readdirSync(resolve(folder, "ai"), { recursive: true, encoding: "utf8" });
  return all
    .map((path) => `ai/${path.replaceAll("\\", "/")}`)
    .filter((path) => !path.includes("/resources/"))
    .filter((path) => /\.(window|any)\.js$/.test(path) || path.endsWith(".https.html"))
    .sort();
}

/** The path of the page that runs a test. */
export const pageOf = (file: string): string => `/${file.replace(/\.(window|any)\.js$/, ".$1.html")}`;

/** Mounts the tests, the harness, and a page for each script. */
export function mountTests(site: Site, folder: string, harness: string, files: readonly string[]): void {
  site.mount("/", folder);
  for (const name of HARNESS) {
    const path = resolve(harness, name);
    if (!existsSync(path)) throw new Error(`${path} is missing`);
    text(site, `/resources/${name}`, "text/javascript", readFileSync(path, "utf8"));
  }
  for (const [name, content] of Object.entries(OWN)) text(site, `/resources/${name}`, "text/javascript", content);
  for (const file of files.filter((name) => name.endsWith(".js")))
    text(site, pageOf(file), "text/html", pageText(file, readFileSync(resolve(folder, file), "utf8")));
}

function text(site: Site, path: string, type: string, content: string): void {
  site.handle(path, (_, response) => {
    response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" }).end(content);
  });
}

/** The page of a script, as web-platform-tests' server makes it: the scripts of its META lines, then the script. */
function pageText(file: string, source: string): string {
  const scripts = [...source.matchAll(/^\/\/ META: script=(.*)$/gm)].map(([, script = ""]) => script.trim());
  const tags = ["/resources/testharness.js", "/resources/testharnessreport.js", ...scripts, `/${file}`];
  return `<!doctype html><meta charset="utf-8"><div id="log"></div>${tags
    .map((tag) => `<script src="${tag}"></script>`)
    .join("\n")}`;
}

/** What a runner of web-platform-tests brings along: the report, and user activation by a real click. */
const OWN: Readonly<Record<string, string>> = {
  "testharnessreport.js": `
setup({ output: false, explicit_timeout: true });
window.pithTests = [];
add_result_callback(({ name, status, message }) => window.pithTests.push({ name, status, message }));
add_completion_callback((_, { status, message }) => {
  window.pithStatus = { status, message };
});`,
  "testdriver.js": `
window.test_driver = {
  async bless(intent, action) {
    await window.pithClick();
    return action?.();
  },
};`,
  "testdriver-vendor.js": "",
};
