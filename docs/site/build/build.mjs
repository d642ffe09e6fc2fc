// Builds the documentation site into dist/docs: pages, sections of other documents, reference pages written from the sources.
// Every TypeScript snippet is type-checked first.
import { rm } from "node:fs/promises";
import { build } from "vitepress";
import { checkAnchors } from "./anchors.mjs";
import { writeApi } from "./api.mjs";
import { OUT, STAGE } from "./places.mjs";
import { writeBrowsers } from "./browsers.mjs";
import { writeBundlers } from "./bundlers.mjs";
import { checkSnippets } from "./snippets.mjs";
import { stagePages } from "./stage.mjs";
import { writeModels } from "./models.mjs";

const started = Date.now();
const told = (what) => console.log(`  ${what}, ${((Date.now() - started) / 1000).toFixed(1)} s`);

await rm(STAGE, { recursive: true, force: true });
await stagePages({ models: writeModels, browsers: writeBrowsers, bundlers: writeBundlers });
told("pages");
const [snippets] = await Promise.all([checkSnippets(), writeApi()]);
told(`API reference; ${snippets} snippets have the right types`);
await build(STAGE, { outDir: OUT, logLevel: "warn" });
await checkAnchors();
told("site: dist/docs");
