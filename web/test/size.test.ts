import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };

/**
 * gzip of a minified module with everything that it imports at once: the client, and OpenAI's API with the client and the list of
 * models. What `shared: true` loads is counted alone.
 */
it.each([
  ["index.ts", 5_000],
  ["openai/index.ts", 16_500],
  ["shared/member.ts", 5_000],
  ["rerank.ts", 1_500],
])("%s is small and depends on nothing", async (file, budget_bytes) => {
  const entry = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
  const output = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: true,
      // The worker is another script, shipped beside this one.
      // Of a library's modules Vite keeps the white space, which a site's build removes.
      rolldownOptions: { external: [/worker\.js$/, /shared\/member\.js$/], output: { minify: true } },
      lib: { entry, formats: ["es"] },
    },
    plugins: [
      { name: "keep-worker-url", enforce: "pre", transform: (code) => code.replace('"./worker.js"', "workerUrl") },
    ],
  });
  const chunks = (Array.isArray(output) ? output : [output]).flatMap((one) => ("output" in one ? one.output : []));
  const code = chunks.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  const bytes = gzipSync(code, { level: 9 }).length;
  console.info(`${file}: ${bytes} B gzip of ${budget_bytes}`);
  expect(bytes).toBeGreaterThan(500);
  expect(bytes).toBeLessThanOrEqual(budget_bytes);
  expect("dependencies" in packageJson).toBe(false);
});
