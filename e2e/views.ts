// Takes pictures of every view of the built extension, light, dark and narrow, in English and in Arabic, for a person to look at.
//
//   tsx views.ts FOLDER [chromium|firefox]

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [folder, browser] = process.argv.slice(2);
if (!folder) throw new Error("usage: views.ts FOLDER [chromium|firefox]");
const cli = createRequire(import.meta.url).resolve("@playwright/test/cli");
const config = resolve(import.meta.dirname, "views/playwright.config.ts");
const env = { ...process.env, PITH_SCREENSHOTS: resolve(folder) };
const only = browser ? ["--project", browser] : [];
const { status } = spawnSync(process.execPath, [cli, "test", "--config", config, ...only], { stdio: "inherit", env });
process.exitCode = status ?? 1;
