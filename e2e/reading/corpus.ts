// The folders of pages with marks: DIR/NAME/page.html and main.txt, or DIR/NAME/page.json for a page of a package.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Site } from "../harness/server.ts";
import { packageFolder } from "./packages.ts";
import { type Marks, parseMarks } from "./score.ts";

/** A page of a package: the elements that hold its main text, and those that must not be read. */
interface Packaged {
  package: string;
  /** Path in the package. */
  file: string;
  main: string[];
  leave: string[];
}

export interface CorpusPage {
  name: string;
  /** The part of the name before the first hyphen. */
  kind: string;
  /** Puts the page's folder on the site; gives the page's address. Throws `Skipped` where the page cannot be had. */
  open(site: Site): string;
  /** The marks. `shown` is the tab that shows the page; a page of a package is changed by this. */
  marks(shown: Page): Promise<Marks>;
}

/** The pages of a folder in alphabetical order. */
export function corpusPages(folder: string): CorpusPage[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => corpusPage(folder, name));
}

function corpusPage(folder: string, name: string): CorpusPage {
  const [kind = name] = name.split("-");
  const own = join(folder, name);
  if (existsSync(join(own, "page.json"))) return packagedPage(name, kind, join(own, "page.json"));
  for (const file of ["page.html", "main.txt"]) {
    if (!existsSync(join(own, file))) throw new Error(`${own} has no ${file}`);
  }
  return {
    name,
    kind,
    open(site) {
      site.mount(`/${name}/`, own);
      return site.url(`/${encodeURIComponent(name)}/page.html`);
    },
    marks: () => Promise.resolve(parseMarks(readFileSync(join(own, "main.txt"), "utf8"))),
  };
}

function packagedPage(name: string, kind: string, file: string): CorpusPage {
  const page = JSON.parse(readFileSync(file, "utf8")) as Packaged;
  return {
    name,
    kind,
    open(site) {
      const files = packageFolder(page.package);
      if (!existsSync(join(files, page.file))) throw new Error(`${page.package} has no file ${page.file}`);
      site.mount(`/${name}/`, files);
      return site.url(`/${name}/${page.file}`);
    },
    marks: (shown) => shown.evaluate(marksOf, page),
  };
}

/** Runs in the page, so it has no functions with names. The text that Chromium lays out, of the marked elements. */
function marksOf({ main, leave }: { main: string[]; leave: string[] }): Marks {
  const marks: Marks = { main: [], forbidden: [] };
  for (const [selectors, lines] of [
    [leave, marks.forbidden],
    [main, marks.main],
  ] as const) {
    for (const selector of selectors) {
      const found = [...document.querySelectorAll<HTMLElement>(selector)];
      if (found.length === 0) throw new Error(`no element matches ${selector}`);
      for (const element of found) {
        lines.push(...element.innerText.split("\n").filter((line) => line.trim() !== ""));
        if (lines === marks.forbidden) element.style.setProperty("display", "none", "important");
      }
    }
  }
  return marks;
}
