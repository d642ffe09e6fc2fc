// testharness.js for the project's own cases: the npm package wpt-runner carries it unchanged.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { ROOT } from "../harness/paths.ts";

const VERSION = "7.0.0";
const SHA256 = "2c10b1278842e86c073631cd2a7c05a0cf0e29151a5c3a067f5b8ac0b582b898";
const FOLDER = resolve(ROOT, `.cache/wpt-runner-${VERSION}`);

/** The folder that holds testharness.js; fetched by npm where it is not there yet. */
export function fetchHarness(): string {
  const folder = join(FOLDER, "package/testharness");
  if (existsSync(folder)) return folder;
  const part = `${FOLDER}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  execFileSync("npm", ["pack", "--silent", `wpt-runner@${VERSION}`], {
    cwd: part,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const archive = join(part, `wpt-runner-${VERSION}.tgz`);
  const hash = createHash("sha256").update(readFileSync(archive)).digest("hex");
  if (hash !== SHA256) throw new Error(`wpt-runner ${VERSION} has the SHA-256 ${hash}, not ${SHA256}`);
  execFileSync("tar", ["xzf", archive], { cwd: part });
  renameSync(part, FOLDER);
  return folder;
}
