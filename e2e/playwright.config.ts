import { defineConfig } from "@playwright/test";

/** Cases in which something must happen at once, or that watch what a browser takes: nothing may run beside them. */
const ALONE = /cases\/((?!worker-)[^/]+|worker-(cancel|leak))\/[^/]+\.case\.ts$/;

/** Cases of the extension: they run in Firefox too. */
const EXTENSION =
  /cases\/(ask-page|guard-state|look-and-access|lose-host|read-pdf|read-what-is-seen|refuse-page|show-source|summarize-page|survive-panel)\/[^/]+\.case\.ts$/;

export default defineConfig({
  testDir: "cases",
  testMatch: "**/*.case.ts",
  outputDir: "results",
  // A file of cases after the other in each: what most of them wait for is a compiler of shaders, which takes one core.
  workers: 2,
  fullyParallel: false,
  // `cargo xtask test` runs one after the other: as dependencies, a failure in the first would keep the others from running.
  projects: [
    { name: "beside", testIgnore: ALONE },
    { name: "alone", testMatch: ALONE, workers: 1 },
    { name: "firefox", testMatch: EXTENSION, workers: 1, use: { browserName: "firefox" } },
  ],
  timeout: 120_000,
  expect: { timeout: 30_000 },
  retries: 0,
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: "results/report.json" }], ["./harness/refetched-reporter.ts"]],
  use: { trace: "off", screenshot: "only-on-failure" },
});
