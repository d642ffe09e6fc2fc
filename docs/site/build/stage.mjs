// Copies the pages and fills in what they name:
//   <!-- include web/README.md "Downloads" -->   a section of a document of the repository, or without a name all of it; with
//                                                `alone` behind the name without the sections in it
//   <!-- write models -->                        what a script writes
// A link of included text leads to the page that includes its target. Where no page does, its text stays.
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join, posix, resolve } from "node:path";
import { ROOT, SITE, STAGE } from "./places.mjs";

const INCLUDE = /^<!-- include (\S+?)(?: "(.+)"( alone)?)? -->$/gm;
const WRITE = /^<!-- write (\w+) -->$/gm;
/** A link, or a code span, in which there are none. */
const LINK = /(!?)\[((?:`[^`\n]*`|[^[\]`]|\[[^\]]*\])+)\]\(([^)\s]+)\)|`[^`\n]+`/g;

export async function stagePages(writers) {
  await cp(resolve(SITE, "pages"), STAGE, { recursive: true });
  await cp(resolve(SITE, "vitepress"), resolve(STAGE, ".vitepress"), { recursive: true });
  const pages = new Map();
  for (const name of await readdir(STAGE, { recursive: true }))
    if (name.endsWith(".md")) pages.set(name.replaceAll("\\", "/"), await readFile(join(STAGE, name), "utf8"));
  const routes = routesOf(pages);
  for (const [name, text] of pages) {
    let filled = await replaceAsync(text, INCLUDE, (_, file, heading, alone) => included(file, heading, alone, routes));
    filled = await replaceAsync(filled, WRITE, (_, what) => writers[what]());
    await writeFile(join(STAGE, name), filled);
  }
}

/** Where the text of `file` or `file#anchor` is on the site. */
function routesOf(pages) {
  const routes = new Map();
  for (const [name, text] of pages)
    for (const [, file, heading] of text.matchAll(INCLUDE))
      routes.set(heading ? `${file}#${slug(heading)}` : file, `/${name.replace(/(index)?\.md$/, "")}`);
  return routes;
}

async function included(file, heading, alone, routes) {
  const text = await readFile(resolve(ROOT, file), "utf8");
  const body = heading ? section(text, heading, Boolean(alone)) : text.replace(/^# .*\n/, "");
  if (body === null) throw new Error(`${file} has no section "${heading}"`);
  return outsideOfCode(body, (part) =>
    part.replace(LINK, (link, mark, label, target) => {
      if (label === undefined || /^[a-z]+:/.test(target)) return link;
      const [path, anchor] = target.split("#");
      const full = path ? posix.normalize(posix.join(posix.dirname(file), path)) : file;
      const route =
        routes.get(anchor ? `${full}#${anchor}` : full) ??
        (routes.has(full) && anchor ? `${routes.get(full)}#${anchor}` : null);
      if (route) return `${mark}[${label}](${route})`;
      if (full === file) throw new Error(`no page includes ${file}#${anchor}`);
      return label;
    }),
  ).trim();
}

/** The text below a heading, up to the next one of its level, or `alone` up to the next one. */
export function section(text, heading, isAlone = false) {
  const found = [];
  let level = 0;
  let isCode = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const [, marks, title] = (!isCode && /^(#+) (.*)$/.exec(line)) || [];
    if (level && marks && (isAlone || marks.length <= level)) break;
    if (level) found.push(line);
    else if (title === heading) level = marks.length;
  }
  return level ? found.join("\n") : null;
}

const slug = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

/** Changes what is no block of code. */
const outsideOfCode = (text, change) =>
  text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part, at) => (at % 2 ? part : change(part)))
    .join("");

async function replaceAsync(text, pattern, make) {
  const parts = await Promise.all([...text.matchAll(pattern)].map((match) => make(...match)));
  return text.replace(pattern, () => parts.shift());
}
