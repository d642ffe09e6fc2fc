// How much of a printed page's text comes back from its PDF, and in which order. The figures are in the report of the run.

import { expect, test } from "../../fixtures.ts";
import { choose, closeRealPanel, openPanel, press } from "../../helpers/panel.ts";
import { paperHtml } from "../../helpers/paper.ts";
import { openFile } from "../../helpers/pdf-page.ts";
import { printPdf } from "../../helpers/pdf.ts";

/** Words as they are compared; of unspaced scripts every character is one. */
const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\u00AD/g, "")
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];

/** The share of `wanted` that `given` holds, each as often. */
function share(wanted: readonly string[], given: readonly string[]): number {
  const left = new Map<string, number>();
  for (const one of given) left.set(one, (left.get(one) ?? 0) + 1);
  const found = wanted.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count > 0;
  });
  return found.length / wanted.length;
}

/** What is used of what the page gives. */
interface Read {
  page: { blocks: { text: string; headers?: string[] }[] };
  pageStarts: unknown[];
}

const pairs = (words: readonly string[]): string[] => words.slice(1).map((word, at) => `${words[at]} ${word}`);

for (const [name, path, wordsMin, orderMin] of [
  ["two columns", null, 0.99, 0.99],
  ["an article", "/article/", 0.99, 0.99],
  ["documentation", "/documentation/", 0.99, 0.98],
  ["German", "/german/", 0.99, 0.99],
  ["Arabic", "/arabic/", 0.99, 0.99],
] as const) {
  test(name, async ({ site, context, extension, browserName }) => {
    test.skip(browserName === "firefox", "the text is made by the same functions, and printed by Chromium");
    const source = await context.newPage();
    if (path) await source.goto(site.url(path));
    else await source.setContent(paperHtml());
    await source.emulateMedia({ media: "print" });
    const text = await source.evaluate(() => document.body.innerText);
    const html = path ? await source.content() : paperHtml();
    const pdf = await printPdf(path ? html.replace("<head>", `<head><base href="${site.url(path)}">`) : html, {
      header: "Zzheader of the print",
      footer: 'Zzfooter <span class="pageNumber"></span>',
    });
    await choose(extension);
    const page = await openFile(context, extension, "measured.pdf", pdf);
    await expect(page.locator(".page[data-drawn]").first()).toBeVisible();
    const tab = await press(extension, page);
    await closeRealPanel(extension, tab);
    const panel = await openPanel(context, extension, tab);
    const read = await panel.evaluate(
      (id) =>
        new Promise<Read>((resolve, reject) => {
          interface Port {
            onMessage: { addListener(listener: (message: { phase: string; read: never }) => void): void };
          }
          const { tabs } = (globalThis as unknown as { chrome: { tabs: { connect(id: number, of: object): Port } } })
            .chrome;
          tabs.connect(id, { name: "pdf-read" }).onMessage.addListener(({ phase, read: result }) => {
            if (phase === "done") resolve(result);
            if (phase === "failed") reject(new Error("nothing was read"));
          });
        }),
      tab,
    );
    let heads = "";
    const given = read.page.blocks.flatMap(({ text: one, headers }) => {
      const names = headers?.join(" ") ?? "";
      const fresh = names === heads ? "" : names;
      heads = names;
      return wordsOf(`${fresh} ${one}`);
    });
    const wanted = wordsOf(text);
    const figures = { words: share(wanted, given), order: share(pairs(wanted), pairs(given)) };
    const line = `${wanted.length} words, found ${(figures.words * 100).toFixed(1)} %, pairs in order ${(figures.order * 100).toFixed(1)} %`;
    test.info().annotations.push({ type: "measured", description: line });
    console.info(`${name}: ${line}`);
    // On one page alone nothing tells a running header from a first line.
    if (read.pageStarts.length > 1) expect(given.join(" ")).not.toMatch(/zzheader|zzfooter/);
    expect(figures.words).toBeGreaterThan(wordsMin);
    expect(figures.order).toBeGreaterThan(orderMin);
  });
}
