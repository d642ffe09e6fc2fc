// web-platform-tests of the built-in AI APIs against this client, in Chromium.
//   cargo xtask wpt [--dir DIR] [--only NAME] [--verbose] [--json]
// DIR holds `ai/` and `resources/testharness.js` of web-platform-tests; they run as they are. Without it the project's own
// cases in wpt/ai run, with the harness from the npm package wpt-runner. Exit status 1 where a subtest fails that
// wpt/expectations.json does not list.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { launch } from "./harness/launch.ts";
import { ROOT, SMOLLM2_FILE } from "./harness/paths.ts";
import { serve } from "./harness/server.ts";
import { type Expectations, readExpectations, score } from "./wpt/expectations.ts";
import { findTests, mountTests } from "./wpt/files.ts";
import { fetchHarness } from "./wpt/harness.ts";
import { initScript } from "./wpt/init.ts";
import { runFile } from "./wpt/run.ts";

const { values: options } = parseArgs({
  options: {
    dir: { type: "string" },
    only: { type: "string", default: "" },
    verbose: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const folder = resolve(options.dir ?? resolve(ROOT, "e2e/wpt"));
const harness = options.dir ? resolve(folder, "resources") : fetchHarness();
const files = findTests(folder).filter((file) => file.includes(options.only));
if (files.length === 0) throw new Error(`${folder}/ai has no test with "${options.only}" in its name`);
const expectations: Expectations = readExpectations();

const site = await serve({ "/client/": resolve(ROOT, "web"), "/models/": resolve(SMOLLM2_FILE, "..") });
mountTests(site, folder, harness, files);
const launched = await launch({ extension: null });
const total = { files: 0, passed: 0, failed: 0, expected_failures: 0, unexpected: 0 };
try {
  for (const file of files) {
    const script = await initScript(site.origin, SMOLLM2_FILE, expectations.echo.includes(file) ? "echo" : "model");
    const subtests = await runFile(launched.context, site, file, script);
    const { line, unexpected, notes } = score(file, subtests, expectations);
    total.files += 1;
    total.passed += line.passed;
    total.failed += line.failed;
    total.expected_failures += line.expected_failures;
    total.unexpected += unexpected.length;
    if (options.json) console.log(JSON.stringify(line));
    else console.log(`${line.file}: ${line.passed} passed, ${line.failed} failed, ${line.expected_failures} expected`);
    for (const note of options.verbose ? [...unexpected, ...notes] : unexpected) console.error(`  ${note}`);
  }
} finally {
  await launched.close();
  await site.close();
}
const { files: count, passed, failed, expected_failures } = total;
console.error(`${count} files: ${passed} subtests passed, ${failed} failed, ${expected_failures} failed as expected`);
process.exitCode = total.unexpected > 0 ? 1 : 0;
