// What is tested in which browser: the cases that Playwright lists for the projects of e2e/playwright.config.ts.
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./places.mjs";

const BROWSERS = { beside: "chromium", alone: "chromium", firefox: "firefox", "firefox-alone": "firefox" };

export async function writeBrowsers() {
  const cli = resolve(ROOT, "node_modules/@playwright/test/cli.js");
  const { stdout } = await promisify(execFile)(process.execPath, [cli, "test", "--list", "--reporter=json"], {
    cwd: resolve(ROOT, "e2e"),
    env: { ...process.env, PITH_FULL: "1" },
    maxBuffer: 1 << 26,
  });
  const counts = new Map();
  // A case can be declared by a helper: its folder is that of the suite.
  for (const suite of JSON.parse(stdout).suites) {
    const name = suite.file.split("/")[0];
    const row = counts.get(name) ?? { chromium: 0, firefox: 0 };
    for (const { tests } of specs(suite)) for (const { projectName } of tests) row[BROWSERS[projectName]] += 1;
    counts.set(name, row);
  }
  const rows = [...counts].sort(([a], [b]) => a.localeCompare(b));
  const isClient = ([name]) => /^(worker-|demo-site|main-thread|examples)/.test(name);
  const isTool = ([name]) => ["harness", "docs-site"].includes(name);
  const list = (title, some) =>
    [`## ${title}`, "", "| cases | Chromium | Firefox |", "|---|---|---|", ...some.map(toRow)].join("\n");
  const extension = rows.filter((row) => !isClient(row) && !isTool(row));
  return `${list("Client and worker", rows.filter(isClient))}\n\n${list("Extension", extension)}`;
}

const toRow = ([name, { chromium, firefox }]) => `| \`${name}\` | ${chromium || "not run"} | ${firefox || "not run"} |`;

const specs = ({ suites = [], specs: own = [] }) => [...own, ...suites.flatMap(specs)];
