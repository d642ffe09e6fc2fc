// The summaries that the extension makes of a folder of pages, in one browser, as a reader gets them: the toolbar button, then the panel.
//   tsx summaries.ts --pages DIR [--only NAME] [--readings]
// DIR/NAME/page.html or page.txt is a page. Each becomes a line of JSON:
//   {"name", "title", "kind_found", "lines": [TEXT], "first_ms", "final_ms", "problem"?, "page"?}
// `--readings` adds what the extension read, as it was sent to the worker.

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { serve } from "./harness/server.ts";
import { openReader } from "./reading/browser.ts";

const { values: options } = parseArgs({
  options: {
    pages: { type: "string" },
    only: { type: "string", default: "" },
    readings: { type: "boolean", default: false },
  },
});
if (!options.pages) throw new Error("--pages DIR is needed");

/** The file of a page in its folder; null where there is none. */
const fileOf = (folder: string): string | null =>
  ["page.html", "page.txt", "page.pdf"].find((name) => existsSync(join(folder, name))) ?? null;

const root = resolve(options.pages);
const names = readdirSync(root).filter((name) => fileOf(join(root, name)) !== null && name.includes(options.only));
const site = await serve({});
const reader = await openReader("medium");
try {
  for (const name of names.sort()) {
    const folder = join(root, name);
    site.mount(`/${name}/`, folder);
    const shown = await reader.summarize(site.url(`/${encodeURIComponent(name)}/${fileOf(folder)}`));
    if ("problem" in shown) {
      console.log(JSON.stringify({ name, lines: [], ...shown }));
      continue;
    }
    const { page, summary, first_ms, final_ms } = shown;
    const lines = summary.lines.map(({ text }) => text);
    const kind_found = summary.kind;
    console.log(
      JSON.stringify({
        name,
        title: summary.title,
        kind_found,
        lines,
        first_ms,
        final_ms,
        ...(options.readings && { page }),
      }),
    );
  }
} finally {
  await reader.close();
  await site.close();
}
