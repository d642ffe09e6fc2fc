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

/** A page of a few sentences, for cases on the software GPU, which takes seconds for each. */
export const LIGHTHOUSE = [
  "The lighthouse on Skerry Point was built in 1867 by an engineer from Leith, who slept in a tent on the rock for two summers.",
  "Its lamp first burned rapeseed oil, then paraffin, and since 1953 an electric bulb no larger than a hand.",
  "Three keepers lived there in turns of six weeks, and wrote down the weather every four hours.",
  "Seals rest on the eastern ledge in autumn, and a colony of puffins digs its burrows behind the old garden wall.",
  "The tower was made automatic in 1988; the last keeper took the clock with him and sends it back for repair each spring.",
  "Visitors can reach the island by a small boat from the harbour when the wind is below force four.",
];

/** Puts the lighthouse's page on the site; gives its address. */
export function lighthouse(site: Site): string {
  const text = LIGHTHOUSE.map((fact) => `<p>${fact}</p>`).join("");
  site.handle("/lighthouse", (_, response) => {
    response
      .setHeader("content-type", "text/html; charset=utf-8")
      .end(`<!doctype html><html lang="en"><title>Skerry Point</title><article><h1>Skerry Point</h1>${text}</article>`);
  });
  return site.url("/lighthouse");
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
