import { cpSync, existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const MODELS = path("../../.cache/models");

/** Ships the embedded model and the notice of its licence with the site. */
function copyModel(): Plugin {
  return {
    name: "copy-model",
    closeBundle() {
      mkdirSync(path("../dist/demo/models"), { recursive: true });
      for (const file of ["minilm-q8_0.gguf", "minilm-notice.txt"]) {
        if (!existsSync(`${MODELS}/${file}`))
          throw new Error(`.cache/models/${file} is missing: run cargo xtask setup`);
        cpSync(`${MODELS}/${file}`, path(`../dist/demo/models/${file}`), { dereference: true });
      }
    },
  };
}

/** What isolates a page from other origins: the CPU's threads share memory only there. */
const headers = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

export default defineConfig({
  root: path("."),
  server: { headers },
  preview: { headers },
  base: "./",
  publicDir: false,
  plugins: [copyModel()],
  worker: { format: "es" },
  build: {
    outDir: path("../dist/demo"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
  },
});
