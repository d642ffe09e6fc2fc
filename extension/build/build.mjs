// Builds extension/dist/chrome and extension/dist/firefox, or the one that is named.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, minifySync } from "vite";
import { CHANGED, changes, replaceStatements, withReplaced } from "./libraries.mjs";
import { manifestFor } from "./manifest.mjs";
import { readBrowserMessages, readMessages } from "./messages.mjs";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const SRC = path("../src");
/** The embedded model, and the notice of its licence. */
const MODEL_FILES = ["minilm-q8_0.gguf", "minilm-notice.txt"];
const MODEL_DIR = path("../../.cache/models");
const { version } = JSON.parse(readFileSync(path("../package.json"), "utf8"));

const common = (browser) => ({
  configFile: false,
  logLevel: "warn",
  root: SRC,
  base: "",
  publicDir: false,
  plugins: [replaceStatements],
  resolve: {
    alias: [
      { find: "#platform", replacement: `${SRC}/platform/${browser}.ts` },
      // One of the engine's two modules: the worker's own choice would ship both.
      { find: /^\.\/grammar\.js$/, replacement: `${SRC}/platform/no-grammar.ts` },
      { find: /^\.\/module\.js$/, replacement: `${SRC}/platform/module.${browser}.ts` },
    ],
  },
});

/** Pages that open in a tab: a folder of src/pages each. */
function ownPages() {
  const folder = `${SRC}/pages`;
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => existsSync(`${folder}/${name}/index.html`))
    : [];
  return Object.fromEntries(names.map((name) => [`pages/${name}`, `${folder}/${name}/index.html`]));
}

/** The extension's own pages and its background script: modules. */
async function buildPages(browser, outDir) {
  const chrome = browser === "chrome";
  await build({
    ...common(browser),
    worker: {
      format: "es",
      rollupOptions: { output: { entryFileNames: "assets/[name].js", assetFileNames: "assets/[name][extname]" } },
    },
    build: {
      outDir,
      emptyOutDir: true,
      target: chrome ? "chrome116" : "firefox140",
      modulePreload: false,
      assetsInlineLimit: 0,
      rollupOptions: {
        input: {
          background: `${SRC}/background${chrome ? "" : ".firefox"}.ts`,
          sidepanel: `${SRC}/sidepanel/index.html`,
          ...ownPages(),
          ...(chrome && { offscreen: `${SRC}/offscreen.html` }),
        },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "assets/[name].js",
          assetFileNames: "assets/[name][extname]",
        },
      },
    },
  });
}

/** The script in the page: injected as a file, so one classic script. */
async function buildContent(browser, outDir) {
  await build({
    ...common(browser),
    build: {
      outDir: `${outDir}/content`,
      emptyOutDir: false,
      lib: { entry: `${SRC}/content/page.ts`, formats: ["iife"], name: "pithContent", fileName: () => "page.js" },
    },
  });
  cpSync(`${SRC}/content/page.css`, `${outDir}/content/page.css`);
}

/** Writes a file that our pages read with `fetchPacked`. Small files are smallest in blocks of level 6. */
function writePacked(file, bytes) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9, memLevel: 6 }));
}

/**
 * Messages: a language is a folder of src/messages, with a file for each part of the extension. Those of browser.json are written
 * in the browsers' own form, which takes four times the room; our pages read all of them from one packed file.
 */
function writeMessages(outDir) {
  const english = readMessages("en");
  const languages = [];
  for (const locale of readdirSync(`${SRC}/messages`)) {
    const messages = readMessages(locale);
    const own = Object.fromEntries(
      Object.keys(readBrowserMessages(locale)).map((key) => [key, { message: messages[key] }]),
    );
    mkdirSync(`${outDir}/_locales/${locale}`, { recursive: true });
    writeFileSync(`${outDir}/_locales/${locale}/messages.json`, JSON.stringify(own));
    const all = JSON.stringify({ ...english, ...messages });
    writePacked(`${outDir}/messages/${messages.language}.json`, all);
    languages.push(messages.language);
  }
  writeFileSync(`${outDir}/messages/languages.json`, JSON.stringify(languages));
}

function copyModel(outDir) {
  mkdirSync(`${outDir}/models`, { recursive: true });
  for (const file of MODEL_FILES) {
    if (!existsSync(`${MODEL_DIR}/${file}`)) {
      console.error(`.cache/models/${file} is missing: run \`cargo xtask setup\` first.`);
      process.exit(1);
    }
    cpSync(`${MODEL_DIR}/${file}`, `${outDir}/models/${file}`, { dereference: true });
  }
}

/** Tables of the encodings of Chinese, Japanese and Korean fonts that a PDF may name without holding them. */
const CMAPS =
  /^(?:Adobe-\w+-UCS2|Uni(?:GB|CNS|JIS|KS)-(?:UCS2|UTF16)-[HV]|Uni(?:JIS)-UCS2-HW-[HV]|90msp?-RKSJ-[HV]|GBKp?-EUC-[HV]|GBK2K-[HV]|ETen-B5-[HV]|KSCms-UHC-[HV]|EUC-[HV]|[HV])\.bcmap$/;

/** What pdf.js loads while it runs: its worker, decoders of pictures and tables. */
function copyPdfJs(outDir) {
  const source = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const target = `${outDir}/pdfjs`;
  const worker = "legacy/build/pdf.worker.min.mjs";
  const code = withReplaced(`pdfjs-dist/${worker}`, readFileSync(`${source}/${worker}`, "utf8"));
  mkdirSync(target, { recursive: true });
  // Once more, which makes it 90 kB shorter; without comments, of which its licence stays.
  const { code: short, errors } = minifySync("pdf.worker.min.mjs", code, { module: true });
  if (errors.length > 0) throw new Error(`${worker}: ${errors[0].message}`);
  const licence = code.slice(0, code.indexOf("*/") + 3);
  writeFileSync(`${target}/pdf.worker.min.mjs`, CHANGED + licence + short);
  const cmaps = readdirSync(`${source}/cmaps`).filter((one) => CMAPS.test(one));
  for (const file of ["wasm/openjpeg.wasm", "wasm/jbig2.wasm", ...cmaps.map((name) => `cmaps/${name}`)])
    writePacked(`${target}/${file}`, readFileSync(`${source}/${file}`));
}

const APACHE = /Apache License\s+Version 2\.0, January 2004[\s\S]*?END OF TERMS AND CONDITIONS/;

/** Copies a notice without the text of the Apache License, which is that of pdf.js. */
function copyNotice(from, to) {
  writeFileSync(to, readFileSync(from, "utf8").replace(APACHE, "Apache License 2.0: its text is in pdfjs.txt"));
}

/** The licences of Pith and of what is bundled. */
function copyNotices(outDir) {
  cpSync(path("../../LICENSE-MIT"), `${outDir}/notices/pith.txt`);
  copyNotice(path("../../web/dist/wasm/notices.txt"), `${outDir}/notices/webassembly.txt`);
  const pdfjs = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  cpSync(`${pdfjs}/LICENSE`, `${outDir}/notices/pdfjs.txt`);
  cpSync(`${pdfjs}/cmaps/LICENSE`, `${outDir}/notices/pdfjs-cmaps.txt`);
  for (const name of ["OPENJPEG", "PDFJS_OPENJPEG", "JBIG2", "PDFJS_JBIG2"])
    copyNotice(`${pdfjs}/wasm/LICENSE_${name}`, `${outDir}/notices/${name.toLowerCase()}.txt`);
  const licence = createRequire(import.meta.url).resolve("@mozilla/readability/LICENSE.md");
  cpSync(licence, `${outDir}/notices/mozilla-readability.txt`);
  const parser = createRequire(import.meta.url).resolve("eventsource-parser/package.json");
  cpSync(`${dirname(parser)}/LICENSE`, `${outDir}/notices/eventsource-parser.txt`);
  writeFileSync(`${outDir}/notices/changes.txt`, changes());
}

const named = process.argv.slice(2);
for (const browser of named.length > 0 ? named : ["chrome", "firefox"]) {
  const outDir = path(`../dist/${browser}`);
  await buildPages(browser, outDir);
  await buildContent(browser, outDir);
  writeMessages(outDir);
  cpSync(`${SRC}/icons`, `${outDir}/icons`, { recursive: true, filter: (file) => !file.endsWith(".svg") });
  copyModel(outDir);
  copyPdfJs(outDir);
  copyNotices(outDir);
  writeFileSync(`${outDir}/manifest.json`, JSON.stringify(manifestFor(browser, version), null, 2));
  console.info(`built extension/dist/${browser}`);
}
