// The browser part of `cargo xtask reading`: what the panel sends to its host is observed, page after page.

import { resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { ROOT } from "../../harness/paths.ts";
import { serve } from "../../harness/server.ts";
import { openReader } from "../../reading/browser.ts";
import { corpusPages } from "../../reading/corpus.ts";

test("the extension reads marked pages one after another, and says where a page has no text", async () => {
  const site = await serve({});
  const empty = `<!doctype html><title>Empty</title><p></p>`;
  site.handle("/empty", (_, response) => void response.setHeader("content-type", "text/html").end(empty));
  const wanted = ["news-footbridge", "recipe-lentils"];
  const pages = corpusPages(resolve(ROOT, "e2e/pages/reading")).filter(({ name }) => wanted.includes(name));
  const reader = await openReader();
  try {
    const texts: string[] = [];
    for (const page of pages) {
      const reading = await reader.read(page.open(site));
      texts.push("page" in reading ? reading.page.blocks.map(({ text }) => text).join("\n") : reading.problem);
    }
    expect(texts[0]).toContain("will be rebuilt in larch and oak instead of steel");
    expect(texts[1]).toContain("Simmer the lentils in plenty of water");
    expect(texts[1]).not.toContain("larch");
    expect(await reader.read(site.url("/empty"))).toHaveProperty("problem");
    // A page that could be read before is read again after a page that could not.
    expect(await reader.read(pages[0]!.open(site))).toHaveProperty("page");
  } finally {
    await reader.close();
    await site.close();
  }
});
