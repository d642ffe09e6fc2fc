import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: "@pith/web/openai", replacement: source("openai/index.ts") },
      { find: "@pith/web", replacement: source("index.ts") },
    ],
  },
});
