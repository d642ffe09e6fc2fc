import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "cases",
  testMatch: "**/*.case.ts",
  outputDir: "results",
  // One browser at a time: the software GPU already uses every core.
  workers: 1,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  retries: 0,
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: "results/report.json" }], ["./harness/refetched-reporter.ts"]],
  use: { trace: "off", screenshot: "only-on-failure" },
});
