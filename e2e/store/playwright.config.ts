import { defineConfig } from "@playwright/test";

/** The screenshots for browser stores: no tests, but runs of the extension as tests make them. */
export default defineConfig({
  testDir: ".",
  testMatch: "*.case.ts",
  outputDir: "../results/store",
  workers: 1,
  timeout: 600_000,
  expect: { timeout: 60_000 },
  retries: 1,
  reporter: [["list"]],
  use: { trace: "off", actionTimeout: 60_000 },
});
