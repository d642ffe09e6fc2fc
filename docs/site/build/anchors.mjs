// VitePress checks that the pages of links exist; this checks the places in them.
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { OUT } from "./places.mjs";

export async function checkAnchors() {
  const names = (await readdir(OUT, { recursive: true })).filter((name) => name.endsWith(".html"));
  const pages = new Map();
  for (const name of names) pages.set(`/${name.replaceAll("\\", "/")}`, await readFile(join(OUT, name), "utf8"));
  const ids = new Map([...pages].map(([path, text]) => [path, new Set(all(text, / id="([^"]+)"/g))]));
  const dead = [...pages].flatMap(([path, text]) => {
    const targets = all(text, / href="([^":]*#[^"]+)"/g).map((href) => new URL(href, `http://site${path}`));
    return targets
      .filter(({ pathname, hash }) => !ids.get(pageOf(pathname))?.has(decodeURIComponent(hash.slice(1))))
      .map(({ pathname, hash }) => `${relative("/", path)} -> ${pathname}${hash}`);
  });
  if (dead.length > 0) throw new Error(`links to places that are not there:\n${[...new Set(dead)].join("\n")}`);
}

const pageOf = (path) => (path.endsWith("/") ? `${path}index.html` : path.endsWith(".html") ? path : `${path}.html`);

const all = (text, pattern) => [...text.matchAll(pattern)].map(([, found]) => found);
