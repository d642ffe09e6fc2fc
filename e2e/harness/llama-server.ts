// A real llama-server, as `cargo xtask test --full` builds it, on 127.0.0.1 with a model of the cache.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { resolve } from "node:path";
import { ROOT, SMOLLM2_FILE } from "./paths.ts";

/** The program, where it was built or is named. */
export const LLAMA_SERVER = process.env.PITH_LLAMA_SERVER ?? resolve(ROOT, ".cache/llama-server/llama-server");

/** Why it cannot be started; null where it can. */
export function llamaServerMissing(): string | null {
  if (!existsSync(LLAMA_SERVER)) return "llama-server is not built: `cargo xtask test --full` builds it";
  return existsSync(SMOLLM2_FILE) ? null : "SmolLM2-135M-Instruct is not in the cache: `cargo xtask setup` fetches it";
}

/** What one sequence of the server does. */
interface Slot {
  is_processing: boolean;
}

export interface LlamaServer {
  readonly origin: string;
  readonly key: string;
  /** Resolves when the model is loaded. */
  ready(): Promise<void>;
  /** How many sequences it is working on. */
  working(): Promise<number>;
  close(): Promise<void>;
}

const START_MS_MAX = 60_000;

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, "127.0.0.1", listening));
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

/** Starts the program; the model may still be loading. Its threads wait for each other by spinning: one is fastest on a busy machine. */
export async function startLlamaServer({ contextTokens = 1024, threads = 1 } = {}): Promise<LlamaServer> {
  const port = await freePort();
  const key = "a-key-for-tests";
  const where = ["--host", "127.0.0.1", "--port", String(port), "--api-key", key];
  const size = ["--ctx-size", String(contextTokens), "--parallel", "1", "--threads", String(threads)];
  const program = spawn(
    LLAMA_SERVER,
    ["--model", SMOLLM2_FILE, "--alias", "smollm2-135m-instruct", "--slots", ...where, ...size],
    {
      stdio: "ignore",
    },
  );
  const ended = new Promise<void>((exited) => program.once("exit", () => exited()));
  const origin = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${key}` };
  return {
    origin,
    key,
    async ready() {
      const end_ms = Date.now() + START_MS_MAX;
      for (;;) {
        const answer = await fetch(`${origin}/health`).catch(() => null);
        await answer?.arrayBuffer();
        if (answer?.ok) return;
        if (Date.now() > end_ms || program.exitCode !== null) throw new Error("llama-server did not load its model");
        await new Promise((wait) => setTimeout(wait, 50));
      }
    },
    async working() {
      const slots = (await (await fetch(`${origin}/slots`, { headers })).json()) as Slot[];
      return slots.filter((slot) => slot.is_processing).length;
    },
    async close() {
      program.kill();
      await ended;
    },
  };
}
