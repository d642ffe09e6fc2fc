// Pages of Debian's documentation packages, which apt fetches when they are read. Their texts are not in the repository.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { ROOT } from "../harness/paths.ts";

const FOLDER = resolve(ROOT, ".cache/packages");

/** Why a page is not read. */
export class Skipped extends Error {}

/**
 * The folder that holds the files of a package, under .cache. Fetches the package where it is not there yet.
 *
 * # Errors
 * `Skipped` where apt or dpkg-deb is not there or cannot fetch the package.
 */
export function packageFolder(name: string): string {
  const folder = join(FOLDER, name);
  if (existsSync(folder)) return folder;
  if (!/^[a-z0-9][a-z0-9+.-]+$/.test(name)) throw new Error(`${name} is no name of a package`);
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  run("apt-get", ["download", name], part);
  const file = readdirSync(part).find((entry) => entry.endsWith(".deb"));
  if (!file) throw new Skipped(`apt-get downloaded no file of ${name}`);
  run("dpkg-deb", ["--extract", file, "files"], part);
  renameSync(join(part, "files"), folder);
  rmSync(part, { recursive: true, force: true });
  return folder;
}

function run(program: string, args: string[], cwd: string): void {
  try {
    execFileSync(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
  } catch (error) {
    const { stderr = "", message } = error as { stderr?: string; message: string };
    const [reason = message] = stderr.split("\n").filter((line) => line.startsWith("E: "));
    throw new Skipped(`${program} ${args[0]}: ${reason}`);
  }
}
