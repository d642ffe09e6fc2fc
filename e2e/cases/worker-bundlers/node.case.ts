// Servers import the package when they render a page.

import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { ROOT } from "../../harness/paths.ts";

test("an import in Node changes no globals, and opening the client there says why it cannot", async () => {
  const script = resolve(ROOT, "e2e/bundlers/import.mjs");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script]);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({
    changed: [],
    error: { name: "PithError", code: "worker_start", detail: expect.stringContaining("not a browser") },
  });
});
