import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Tests read the client's source: they need no build.
export default defineConfig({
  resolve: {
    alias: {
      "#platform": fileURLToPath(new URL("src/platform/chrome.ts", import.meta.url)),
      "@pith/web/hub": fileURLToPath(new URL("../web/src/hub.ts", import.meta.url)),
      "@pith/web/models": fileURLToPath(new URL("../web/src/models.ts", import.meta.url)),
      "@pith/web": fileURLToPath(new URL("../web/src/index.ts", import.meta.url)),
    },
  },
  test: { include: ["test/**/*.test.ts"] },
});
