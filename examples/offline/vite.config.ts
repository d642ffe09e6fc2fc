// Writes sw.js beside the built app, with the names of all its files.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";

function serviceWorker(): Plugin {
  let folder = "";
  return {
    name: "service-worker",
    apply: "build",
    configResolved: (config) => void (folder = resolve(config.root, config.build.outDir)),
    closeBundle() {
      const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const files = all.map((file) => relative(folder, join(file.parentPath, file.name))).sort();
      const hash = createHash("sha256");
      for (const name of files) hash.update(name).update(readFileSync(join(folder, name)));
      const names = ["./", ...files.map((name) => `./${name.replaceAll("\\", "/")}`)];
      const text = readFileSync(join(import.meta.dirname, "sw.js"), "utf8");
      const filled = text.replace("VERSION", hash.digest("hex").slice(0, 12)).replace("[]", JSON.stringify(names));
      writeFileSync(join(folder, "sw.js"), filled);
    },
  };
}

export default defineConfig({ base: "./", plugins: [serviceWorker()] });
