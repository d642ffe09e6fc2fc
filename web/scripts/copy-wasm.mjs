// Puts the built wasm beside the compiled worker.
import { cpSync, existsSync, rmSync } from "node:fs";

const from = new URL("../src/wasm/", import.meta.url);
if (!existsSync(from)) {
  console.error("web/src/wasm is missing: build the worker first (cargo xtask setup, or cargo xtask demo).");
  process.exit(1);
}
const to = new URL("../dist/wasm/", import.meta.url);
rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true });
