import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };

const BUDGET_BYTES = 5_000;

it("the client is small and depends on nothing", async () => {
  const entry = fileURLToPath(new URL("../src/index.ts", import.meta.url));
  const output = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: true,
      // The worker is another script, shipped beside this one.
      rollupOptions: { external: [/worker\.js$/] },
      lib: { entry, formats: ["es"] },
    },
    plugins: [
      { name: "keep-worker-url", enforce: "pre", transform: (code) => code.replace('"./worker.js"', "workerUrl") },
    ],
  });
  const chunks = (Array.isArray(output) ? output : [output]).flatMap((one) => ("output" in one ? one.output : []));
  const code = chunks.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  const bytes = gzipSync(code, { level: 9 }).length;
  console.info(`client: ${bytes} B gzip of ${BUDGET_BYTES}`);
  expect(bytes).toBeGreaterThan(500);
  expect(bytes).toBeLessThanOrEqual(BUDGET_BYTES);
  expect("dependencies" in packageJson).toBe(false);
});
