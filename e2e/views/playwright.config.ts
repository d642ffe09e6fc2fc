import { defineConfig } from "@playwright/test";

/** Pictures of every view of the extension, to be looked at (views.ts). */
export default defineConfig({
  testDir: ".",
  testMatch: "*.case.ts",
  outputDir: "../results/views-runs",
  workers: 1,
  timeout: 900_000,
  expect: { timeout: 60_000 },
  projects: [{ name: "chromium" }, { name: "firefox", use: { browserName: "firefox" } }],
  reporter: [["list"]],
  use: { trace: "off", actionTimeout: 60_000 },
});
