// Type-checks every TypeScript snippet of the site and of the packages' READMEs against the built types, with `strict`.
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { ROOT, SITE, SNIPPETS, STAGE } from "./places.mjs";

const FENCE = /^```ts\b.*\n([\s\S]*?)^```$/gm;
const READMES = ["README.md", "web/README.md", "web/ai-sdk/README.md"];
const PATHS = {
  "@pith/web": ["web/dist/index.d.ts"],
  "@pith/web/models": ["web/dist/models.d.ts"],
  "@pith/web/hub": ["web/dist/hub.d.ts"],
  "@pith/web/rerank": ["web/dist/rerank.d.ts"],
  "@pith/web/openai": ["web/dist/openai/index.d.ts"],
  "@pith/web/openai/fetch": ["web/dist/openai/fetch.d.ts"],
  "@pith/web/built-in": ["web/dist/built-in/index.d.ts"],
  "@pith/ai-sdk": ["web/ai-sdk/dist/index.d.ts"],
};

/** How many there are. Fails with the compiler's messages, which name page and snippet. */
export async function checkSnippets() {
  await rm(SNIPPETS, { recursive: true, force: true });
  await mkdir(SNIPPETS, { recursive: true });
  const all = await readdir(STAGE, { recursive: true });
  // What typedoc writes are declarations.
  const pages = all.filter((name) => name.endsWith(".md") && !name.includes("api"));
  const files = [...pages.map((name) => join(STAGE, name)), ...READMES.map((name) => join(ROOT, name))];
  const seen = new Set();
  for (const [at, file] of files.entries()) {
    const text = await readFile(file, "utf8");
    const name = at < pages.length ? pages[at] : READMES[at - pages.length];
    for (const [index, [, code]] of [...text.matchAll(FENCE)].entries()) {
      if (seen.has(code)) continue;
      seen.add(code);
      const snippet = `${name.replace(/\.md$/, "").replaceAll(/[\\/]/g, "-")}-${index + 1}.ts`;
      await writeFile(join(SNIPPETS, snippet), `${code}export {};\n`);
    }
  }
  const absolute = (paths) => paths.map((path) => resolve(ROOT, path));
  const config = {
    extends: resolve(ROOT, "tsconfig.base.json"),
    compilerOptions: {
      noUncheckedIndexedAccess: false,
      exactOptionalPropertyTypes: false,
      lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      types: [],
      paths: Object.fromEntries(Object.entries(PATHS).map(([name, paths]) => [name, absolute(paths)])),
    },
    files: [resolve(SITE, "snippets.d.ts")],
    include: ["*.ts"],
  };
  await writeFile(join(SNIPPETS, "tsconfig.json"), JSON.stringify(config));
  const tsc = resolve(ROOT, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, "-p", SNIPPETS]).catch(({ stdout }) => {
    throw new Error(`snippets of the documentation:\n${stdout}`);
  });
  return seen.size;
}
