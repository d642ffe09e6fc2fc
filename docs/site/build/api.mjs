// The API reference: typedoc reads the types, its Markdown plugin writes a page for each module of the packages.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Application } from "typedoc";
import { API, ROOT, STAGE } from "./places.mjs";

/** Names of modules, and where their code is. */
const MODULES = {
  "@pith/web": "web/src/index.ts",
  "@pith/web/openai": "web/src/openai/index.ts",
  "@pith/web/openai/fetch": "web/src/openai/fetch.ts",
  "@pith/web/built-in": "web/src/built-in/index.ts",
  "@pith/web/hub": "web/src/hub.ts",
  "@pith/web/rerank": "web/src/rerank.ts",
  "@pith/web/models": "web/src/models.ts",
  "@pith/ai-sdk": "web/ai-sdk/src/index.ts",
};

export async function writeApi() {
  await mkdir(API, { recursive: true });
  const entryPoints = [];
  for (const [name, file] of Object.entries(MODULES)) {
    const entry = join(API, `${name.replaceAll(/[@/]/g, "-").slice(1)}.ts`);
    await writeFile(entry, `/** @module ${name} */\nexport * from "${resolve(ROOT, file)}";\n`);
    entryPoints.push(entry);
  }
  const compilerOptions = {
    lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    types: [],
    typeRoots: [],
    resolveJsonModule: true,
    paths: { "@pith/web": [resolve(ROOT, "web/src/index.ts")] },
  };
  const tsconfig = join(API, "tsconfig.json");
  const config = { extends: resolve(ROOT, "tsconfig.base.json"), compilerOptions, files: entryPoints };
  await writeFile(tsconfig, JSON.stringify(config));
  const app = await Application.bootstrapWithPlugins({
    entryPoints,
    tsconfig,
    plugin: ["typedoc-plugin-markdown"],
    outputs: [{ name: "markdown", path: resolve(STAGE, "reference/api") }],
    readme: "none",
    logLevel: "Error",
    disableSources: true,
    excludePrivate: true,
    excludeProtected: true,
    excludeExternals: true,
    skipErrorChecking: true,
    router: "module",
    hideBreadcrumbs: true,
    hidePageHeader: true,
    hidePageTitle: false,
    useCodeBlocks: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    typeAliasPropertiesFormat: "table",
    enumMembersFormat: "table",
    entryFileName: "index",
    pageTitleTemplates: { module: ({ name }) => name },
  });
  const project = await app.convert();
  if (!project) throw new Error("typedoc read nothing");
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error("typedoc reported errors");
  await mendLinks(resolve(STAGE, "reference/api/@pith/web.md"));
}

/** typedoc numbers the heading of a type of which there is one only, where a class refers to it before. */
async function mendLinks(file) {
  const text = await readFile(file, "utf8");
  const headings = [...text.matchAll(/^#+ (\w+)$/gm)].map(([, title]) => title.toLowerCase());
  const isOnce = (slug) => headings.filter((one) => one === slug).length === 1;
  await writeFile(
    file,
    text.replace(/\]\(#(\w+)-1\)/g, (link, slug) => (isOnce(slug) ? `](#${slug})` : link)),
  );
}
