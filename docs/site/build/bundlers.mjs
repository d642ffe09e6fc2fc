// Each bundler's steps, as the tests take them (e2e/bundlers): packages, copies, the command of the production build, and files
// that differ from a plain page.
import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { GATE, OTHERS } from "../../../e2e/bundlers/projects.ts";
import { ROOT } from "./places.mjs";

const TITLES = {
  "vite-8": "Vite",
  esbuild: "esbuild",
  "webpack-5": "webpack",
  "rollup-4": "Rollup",
  "parcel-2": "Parcel",
  "next-16": "Next",
  "nuxt-4": "Nuxt",
  "angular-20": "Angular",
};

/** What a reader needs to see of a project's own files. */
const FILES = {
  "next-16": ["next/app/page.jsx"],
  "nuxt-4": ["nuxt/app/app.vue"],
  "angular-20": ["angular/angular.json", "angular/browser.js"],
};

export async function writeBundlers() {
  const projects = [...GATE, ...OTHERS];
  const sections = Object.entries(TITLES).map(async ([name, title]) => {
    const project = projects.find((one) => one.name === name);
    if (!project) throw new Error(`no project ${name} in e2e/bundlers/projects.ts`);
    const packages = Object.entries(project.packages).map(([one, version]) => `${one}@${version}`);
    const [bundler, ...others] = packages;
    const steps = [`npm install ${[bundler, ...others].join(" ")}`, ...copies(project), ...project.build.map(npx)];
    const files = await Promise.all((FILES[name] ?? []).map(fileOf));
    return [`## ${title}`, fence("sh", steps.join("\n")), ...files].join("\n\n");
  });
  return (await Promise.all(sections)).join("\n\n");
}

const copies = ({ prepare }) => (prepare ? ["mkdir -p www", ...prepare] : []);

const npx = (command) => (command.startsWith("node ") ? command : `npx ${command}`);

async function fileOf(file) {
  const text = await readFile(resolve(ROOT, "e2e/bundlers", file), "utf8");
  return `\`${file.split("/").slice(1).join("/")}\`:\n\n${fence(extname(file).slice(1), text.trim())}`;
}

const fence = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``;
