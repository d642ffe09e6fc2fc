// Takes the screenshots for browser stores, from real runs of the built extension in Chromium.
//
//   tsx store-screenshots.ts FOLDER

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: store-screenshots.ts FOLDER");
const cli = createRequire(import.meta.url).resolve("@playwright/test/cli");
const config = resolve(import.meta.dirname, "store/playwright.config.ts");
const env = { ...process.env, PITH_SCREENSHOTS: resolve(folder) };
const { status } = spawnSync(process.execPath, [cli, "test", "--config", config], { stdio: "inherit", env });
process.exitCode = status ?? 1;
