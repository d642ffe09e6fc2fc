// Reads a page from the extension's panel, step by step as the panel does. Firefox hands no messages of the panel to a test.

import { build } from "esbuild";
import { resolve } from "node:path";
import { PDF_PORT } from "../../extension/src/pdf-wire.ts";
import { ROOT } from "../harness/paths.ts";
import type { ExtensionTargets } from "../harness/targets.ts";
import type { Reading } from "./reading.ts";

const TRIES = 20;
const WAIT_MS = 500;
/** What the script in the page says of a reading that a later one has ended. */
const GIVEN_UP = "given up";

/** Readability's vote, which the panel asks for between the two steps in the page. */
async function bundleArticle(): Promise<string> {
  const contents = `export { findArticle } from "./article.js";`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve(ROOT, "extension/src/sidepanel"), loader: "ts" },
    bundle: true,
    format: "iife",
    globalName: "article",
    write: false,
  });
  return outputFiles[0]!.text;
}

/** From the extension's page for PDF files. */
const READ_PDF = `const readPdf = (tabId) => new Promise((resolve) => {
  const port = chrome.tabs.connect(tabId, { name: ${JSON.stringify(PDF_PORT)} });
  port.onMessage.addListener((reading) => {
    if (reading.phase === "failed") resolve({ problem: reading.error.code });
    if (reading.phase === "done") resolve({ page: reading.read.page, coverage: reading.read.coverage });
  });
});`;

const readExpression = (article: string, panel: string): string => `(async () => {
  ${article}
  ${READ_PDF}
  const tabId = Number(new URLSearchParams(${JSON.stringify(panel)}).get("tab"));
  const call = async (name, ...values) => {
    const func = async (name, values) => {
      try { return JSON.stringify((await pithPage[name](...values)) ?? null); }
      catch (error) { return JSON.stringify({ problem: String(error) }); }
    };
    const [{ result }] = await chrome.scripting.executeScript({ target: { tabId }, func, args: [name, values] });
    return JSON.parse(result);
  };
  const isPdf = await chrome.tabs.sendMessage(tabId, { type: "pdf", ask: "key" }).catch(() => null);
  if (isPdf) return readPdf(tabId);
  try { await chrome.scripting.executeScript({ target: { tabId }, files: ["/content/page.js"] }); }
  catch { return { problem: "page_restricted" }; }
  const picture = await call("picture");
  if (picture.problem) return picture;
  const { blocks, coverage, said, problem } = await call("collect", article.findArticle(picture.html));
  if (problem || blocks.length === 0) return { problem: problem ?? "no_text" };
  return { page: { ...picture.metadata, ...said, blocks }, coverage };
})()`;

/** The page in front. */
export async function panelReader(targets: ExtensionTargets): Promise<(url: string) => Promise<Reading>> {
  const article = await bundleArticle();
  return async (url) => {
    await targets.pressAction(url);
    let last: Reading = { problem: "no panel has opened" };
    for (let tries = 0; tries < TRIES; tries++) {
      await new Promise((done) => setTimeout(done, WAIT_MS));
      const tab = await targets.tabId(url);
      const panel = (await targets.urls()).find((one) => one.endsWith(`/sidepanel/index.html?tab=${tab}`));
      if (!panel) continue;
      const search = `?tab=${tab}`;
      last = await targets.evaluate<Reading>(`sidepanel/index.html${search}`, readExpression(article, search));
      // The panel's own reading may have begun later.
      if (!("problem" in last && last.problem.includes(GIVEN_UP))) break;
    }
    return last;
  };
}
