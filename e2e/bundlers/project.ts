// Packs the npm package as it is published, installs it beside a bundler, and runs that bundler.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { ROOT } from "../harness/paths.ts";
import { serve } from "../harness/server.ts";
import type { Project } from "./projects.ts";

const CACHE = resolve(ROOT, ".cache/bundlers");
const START_MS_MAX = 120_000;
const run = promisify(execFile);

/** What bundlers write: outputs and caches. */
const BUILT = [
  "dist",
  "www",
  ".next",
  ".parcel-cache",
  ".angular",
  ".nuxt",
  ".output",
  "node_modules/.vite",
  "node_modules/.cache",
];

/** What npm says if it cannot reach its registry. */
const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/** The registry cannot be reached: the case is skipped. */
export class Unreachable extends Error {}

/** A server of the built or the developed page. */
export interface Served {
  readonly origin: string;
  close(): Promise<void>;
}

/** The packed package, named by its content. */
async function pack(): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, "pack-"));
  try {
    const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
      cwd: resolve(ROOT, "web"),
    });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    const file = join(folder, filename);
    const hash = createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
    const kept = join(CACHE, `pith-web-${hash.slice(0, 16)}.tgz`);
    for (const old of await readdir(CACHE)) if (old.endsWith(".tgz")) await rm(join(CACHE, old), { force: true });
    await rename(file, kept);
    return kept;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Installs a project into its folder of the cache, unless it is there already. */
export async function install({ name, packages, folders }: Project): Promise<string> {
  const folder = join(CACHE, name);
  const dependencies = { ...packages, "@pith/web": `file:${await pack()}` };
  const manifest = JSON.stringify({ name: `pith-${name}`, private: true, type: "module", dependencies }, null, 2);
  const stamp = join(folder, "node_modules/.pith-installed");
  const installed = existsSync(stamp) ? await readFile(stamp, "utf8") : "";
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), manifest);
  if (installed !== manifest) {
    const options = ["--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1"];
    await run("npm", ["install", ...options], { cwd: folder, env: environment(), maxBuffer: 1 << 26 }).catch(
      (error: Error) => {
        throw UNREACHABLE.test(error.message) ? new Unreachable(`npm cannot reach its registry: ${name}`) : error;
      },
    );
    await writeFile(stamp, manifest);
  }
  for (const part of folders) await cp(resolve(ROOT, "e2e/bundlers", part), folder, { recursive: true });
  return folder;
}

/** Builds for production and serves the result. */
export async function serveBuild(project: Project, folder: string): Promise<Served> {
  await prepare(project, folder);
  for (const command of project.build) {
    const [program, args] = parse(command, folder);
    await run(program, args, { cwd: folder, env: environment(), maxBuffer: 1 << 26 });
  }
  const { output } = project;
  return typeof output === "string" ? serve({ "/": join(folder, output) }) : start(output.serve, folder);
}

/** Starts the dev server. Its caches are empty, as after an installation. */
export async function serveDev(project: Project, dev: string, folder: string): Promise<Served> {
  await prepare(project, folder);
  return start(dev, folder);
}

async function prepare({ prepare = [] }: Project, folder: string): Promise<void> {
  for (const old of BUILT) await rm(join(folder, old), { recursive: true, force: true });
  for (const command of prepare) {
    const args = command.split(" ").slice(1);
    await mkdir(join(folder, args.at(-1)!), { recursive: true });
    await run("cp", args, { cwd: folder });
  }
}

/** Starts a server and waits until it answers. */
async function start(command: string, folder: string): Promise<Served> {
  const port = await freePort();
  const [program, args] = parse(command.replaceAll("PORT", String(port)), folder);
  // A process group of its own, because these programs start others. Some end with their standard input.
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...environment(), PORT: String(port), HOST: "127.0.0.1" },
    detached: true,
    stdio: "pipe",
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += String(text)));
  const origin = `http://127.0.0.1:${port}`;
  const end_ms = Date.now() + START_MS_MAX;
  while (
    !(await fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > end_ms) {
      await stop(child);
      throw new Error(`${command} does not answer:\n${said}`);
    }
    await sleep(200);
  }
  return { origin, close: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || !child.pid) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  process.kill(-child.pid, "SIGKILL");
  await ended;
}

function parse(command: string, folder: string): [program: string, args: string[]] {
  const [program = "", ...args] = command.split(" ");
  return [program === "node" ? program : join(folder, "node_modules/.bin", program), args];
}

/** Without what Playwright sets for its own processes. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_ENV, NODE_OPTIONS, ...rest } = process.env;
  return { ...rest, CI: "1", NEXT_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1", NG_CLI_ANALYTICS: "false" };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
