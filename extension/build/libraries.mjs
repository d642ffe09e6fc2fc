// Statements of libraries that the build replaces: ways to run code from strings, from other files or from HTML, which the
// extension's policy forbids or nothing needs. The build fails where a statement is not found: then a library has changed.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Why pdf.js carries these two: core-js looks for the global object in engines without `globalThis`, and for Node. */
const GLOBAL = "engines without `globalThis`, which neither browser is";
const NODE = "Node, which no page is";
const NO_FILE = "a decoder in JavaScript, which is not in the package: the one in WebAssembly is";

/** By file: the statement as it is in the library, what stands in its place, what it was for. */
export const REPLACED = {
  "@mozilla/readability/Readability.js": [
    {
      from: "var pageCacheHtml = page.innerHTML;",
      to: "var pageCache = page.cloneNode(true);",
      why: "the page is kept as nodes instead of HTML",
    },
    {
      from: "page.innerHTML = pageCacheHtml;",
      to: "page.replaceChildren(...pageCache.cloneNode(true).childNodes);",
      why: "the page is kept as nodes instead of HTML",
    },
    {
      from: "tmp.innerHTML = noscript.innerHTML;",
      to: "tmp.replaceChildren(...noscript.cloneNode(true).childNodes);",
      why: "nodes are copied instead of HTML",
    },
  ],
  "pdfjs-dist/legacy/build/pdf.mjs": [
    { from: `return Function('return require("' + name + '")')();`, to: "return undefined;", why: NODE },
    { from: " || Function('return this')();", to: ";", why: GLOBAL },
    {
      from: "await import(\n      /*webpackIgnore: true*/\n      /*@vite-ignore*/\n      this.workerSrc);",
      to: 'await Promise.reject(new Error("the worker did not start"));',
      why: "the worker's code on the page's own thread, where no worker starts",
    },
  ],
  "pdfjs-dist/legacy/build/pdf.worker.min.mjs": [
    { from: `return Function('return require("'+e+'")')()`, to: "return", why: NODE },
    { from: `||Function("return this")()`, to: "", why: GLOBAL },
    ...["JBig2CCITTFaxImage", "JpxImage"].map((decoder) => ({
      from: `n=(await import(\n/*webpackIgnore: true*/\n/*@vite-ignore*/\nt)).default()}catch(e){warn(\`${decoder}`,
      to: `throw new Error(t)}catch(e){warn(\`${decoder}`,
      why: NO_FILE,
    })),
  ],
};

/** The code of a library with its statements replaced. */
export function withReplaced(file, code) {
  let changed = code;
  for (const { from, to } of REPLACED[file]) {
    const count = changed.split(from).length - 1;
    if (count !== 1) throw new Error(`${file} has this ${count} times instead of once: ${from}`);
    changed = changed.replace(from, () => to);
  }
  return changed;
}

/** Says in a copied file that it was changed, as its license asks. */
export const CHANGED = "/* Changed and minified by the build of Pith: notices/changes.txt lists the statements. */\n";

/** The list of them, for the package. */
export function changes() {
  const files = Object.entries(REPLACED).map(([file, statements]) => {
    const lines = statements.map(
      ({ from, to, why }) => `  for: ${why}\n  was: ${oneLine(from)}\n  is:  ${oneLine(to)}\n`,
    );
    return `${file}\n\n${lines.join("\n")}`;
  });
  return `Statements of libraries that the build of Pith replaces (extension/build/libraries.mjs).\n\n${files.join("\n")}`;
}

const oneLine = (text) => text.trim().replace(/\s+/g, " ") || "(nothing)";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** Vite's plugin for those that are bundled. */
export const replaceStatements = {
  name: "replace-statements",
  transform(code, id) {
    const file = relative(MODULES, id.split("?")[0]).replaceAll("\\", "/");
    return file in REPLACED ? { code: withReplaced(file, code), map: null } : null;
  },
};
