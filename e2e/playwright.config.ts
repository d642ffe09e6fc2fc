import { defineConfig } from "@playwright/test";

/** Cases in which something must happen within a time, or that watch what a browser takes: nothing may run beside them. */
const ALONE = [
  /cases\/(main-thread|worker-(cancel|leak|slow-maps))\/.*\.case\.ts$/,
  /cases\/read-what-is-seen\/(boxes|busy|large|random-pages)\.case\.ts$/,
  /cases\/guard-state\/forget\.case\.ts$/,
  /cases\/own-server\/real-server\.case\.ts$/,
  /cases\/survive-panel\/idle\.case\.ts$/,
];

/**
 * Cases of the worker, of the demo and documentation sites and of the tests' own means, and what needs Chromium; all others run in
 * Firefox too. Of the client, its APIs and the examples do.
 */
const CHROMIUM_ONLY =
  /cases\/(worker-(?!built-in|json|kept|openai|threads|tools)[^/]+|demo-site|docs-site|harness|languages|main-thread)\//;

const isFull = Boolean(process.env.PITH_FULL);

/** A run empties it. */
const RESULTS = process.env.PITH_RESULTS ?? "results";

/** With the long suites only: what takes long by its nature, such as long texts of a real model, a disk that is full, every state in two colours. */
const LONG = isFull
  ? []
  : [
      /cases\/keep-and-export\/(full|print|records)\.case\.ts$/,
      /cases\/models-page\/refusals\.case\.ts$/,
      /cases\/own-server\/settings\.case\.ts$/,
      /cases\/read-pdf\/look\.case\.ts$/,
      /cases\/select-text\/(look|write)\.case\.ts$/,
      /cases\/worker-bundlers\/others\.case\.ts$/,
      /cases\/worker-(frames|lose-device|slow-maps)\//,
      /cases\/worker-store\/faults\.case\.ts$/,
      /cases\/write-page\/(answers|look|missing)\.case\.ts$/,
    ];

/** Single cases of that kind: `{ tag: "@long" }`, in Firefox also `{ tag: "@long-in-firefox" }`. */
const LONG_CASES = isFull ? /^$/ : /@long( |$)/;
const LONG_CASES_IN_FIREFOX = isFull ? /^$/ : /@long/;

/** In Firefox one file of most folders; all with the long suites, and only then those of the client. */
const LONG_IN_FIREFOX = isFull
  ? []
  : [
      /cases\/keep-and-export\/(?!history\.)/,
      /cases\/look-and-access\/(?!panel\.)/,
      /cases\/models-page\/(?!stored\.)/,
      /cases\/read-articles\/(?!comments\.)/,
      /cases\/own-server\/(?!write\.)/,
      /cases\/read-pdf\/(?!read\.)/,
      /cases\/select-text\/(?!select-text\.)/,
      /cases\/several-tabs\/(?!several\.)/,
      /cases\/show-source\/(?!show-source\.)/,
      /cases\/summarize-page\/(?!hostile|options|pages)/,
      /cases\/(worker-[^/]+|examples|write-page)\//,
    ];

const IN_FIREFOX = {
  testIgnore: [CHROMIUM_ONLY, ...LONG, ...LONG_IN_FIREFOX],
  grepInvert: LONG_CASES_IN_FIREFOX,
  use: { browserName: "firefox" as const },
};

export default defineConfig({
  testDir: "cases",
  testMatch: "**/*.case.ts",
  outputDir: RESULTS,
  // A file of cases after the other in each: what most of them wait for is a compiler of shaders, which takes one core.
  workers: 2,
  fullyParallel: false,
  // `cargo xtask test` runs one after the other: as dependencies, a failure in the first would keep the others from running.
  projects: [
    { name: "beside", testIgnore: [...ALONE, ...LONG], grepInvert: LONG_CASES },
    { name: "alone", testMatch: ALONE, testIgnore: LONG, grepInvert: LONG_CASES, workers: 1 },
    { name: "firefox", ...IN_FIREFOX, testIgnore: [...ALONE, ...IN_FIREFOX.testIgnore] },
    { name: "firefox-alone", ...IN_FIREFOX, testMatch: ALONE, workers: 1 },
  ],
  // Machines that test are up to three times as slow on a busy day; waiting costs only what fails.
  timeout: 240_000,
  expect: { timeout: 90_000 },
  // No second tries: what fails once in a while is a fault of the product or of its case.
  retries: 0,
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: `${RESULTS}/report.json` }], ["./harness/refetched-reporter.ts"]],
  use: {
    screenshot: "only-on-failure",
    // Actions, requests and console: pictures of every step take a tenth of all time.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
  },
});
