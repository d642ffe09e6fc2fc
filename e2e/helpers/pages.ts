// The pages of e2e/pages, each with what a summary of it must be like (pages/README.md explains the fields).

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ROOT } from "../harness/paths.ts";
import type { Site } from "../harness/server.ts";

export interface Expected {
  title: string;
  description?: string;
  minSentences: number;
  mustContain: string[];
  mustNotContain: string[];
  ask?: { question: string; contains: string }[];
  error?: string;
  verbatim?: boolean;
}

export interface TestPage {
  name: string;
  expected: Expected;
  /** Its address; a page that is generated is put on the site first. */
  open(site: Site): Promise<string>;
}

const PAGES = resolve(ROOT, "e2e/pages");

/** Every folder that says what is expected of it. */
export const testPages: TestPage[] = readdirSync(PAGES)
  .filter((name) => existsSync(`${PAGES}/${name}/expected.json`))
  .map((name) => ({
    name,
    expected: JSON.parse(readFileSync(`${PAGES}/${name}/expected.json`, "utf8")) as Expected,
    open: async (site) => {
      if (existsSync(`${PAGES}/${name}/generate.ts`)) {
        const made = (await import(`${PAGES}/${name}/generate.ts`)) as Record<string, () => string>;
        const html = Object.values(made)[0]?.() ?? "";
        site.handle(`/${name}/`, (_, response) => {
          response.setHeader("content-type", "text/html; charset=utf-8").end(html);
        });
      }
      return site.url(`/${name}/`);
    },
  }));
