// A page of many words with a language model: the time of a summary, in how many parts and how much of it was read, memory; then
// questions on it, with what of the prompt was read before and when the first line stood.
//   npx tsx long-page.ts [--backend cpu|webgpu|webgl2] [--model FILE] [--words N] [--context N] [--write] [--ask QUESTION ...]
//
// `--write` lets the model write from the whole page, in parts, also where its test says that it may only shorten sentences. A page
// that fits into the context is the prompt of each question; of a longer one that is the best passages.

import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type ClientGlobals, openClient, serveClient } from "./harness/client.ts";
import { launch } from "./harness/launch.ts";
import { MINILM_FILE, ROOT, SMOLLM2_FILE } from "./harness/paths.ts";
import { residentKib } from "./harness/processes.ts";
import { reportSentence } from "./helpers/report.ts";
import type { Page as Text, Pith } from "../web/src/index.ts";

const { values } = parseArgs({
  options: {
    backend: { type: "string", default: "cpu" },
    model: { type: "string", default: SMOLLM2_FILE },
    words: { type: "string", default: "30000" },
    context: { type: "string", default: "8192" },
    write: { type: "boolean", default: false },
    ask: {
      type: "string",
      multiple: true,
      default: [
        "What did the lighthouse count?",
        "What did the council report near the museum?",
        "And what did it postpone?",
      ],
    },
  },
});

/** The project's own set of documents, then made-up sentences, none of them twice. */
async function article(words: number): Promise<Text> {
  const folder = resolve(ROOT, "engine/tests/quality");
  const blocks: Text["blocks"] = [];
  let count = 0;
  const add = (block: Text["blocks"][number]): void => {
    if (count < words) blocks.push(block);
    count += block.text.split(/\s+/).length;
  };
  for (const name of (await readdir(folder)).filter((name) => name.endsWith(".json")).sort()) {
    const read = JSON.parse(await readFile(join(folder, name), "utf8")) as Partial<Text>;
    read.blocks?.forEach(add);
  }
  for (let n = 0; count < words; n += 1) add({ kind: "paragraph", text: reportSentence(n) });
  return { title: "A long report", language: "en", blocks };
}

const file = resolve(values.model);
const site = await serveClient({ "/model/": dirname(file), "/encoder/": dirname(MINILM_FILE) });
const browser = await launch({ extension: null });
let peak_kib = 0;
const sampling = setInterval(() => {
  peak_kib = Math.max(peak_kib, residentKib("renderer"));
}, 500);
const page = await openClient(browser.context, site);
const paths = [`/model/${basename(file)}`, `/encoder/${basename(MINILM_FILE)}`] as const;
const told = await page.evaluate(
  async ([[model, encoder], backend, contextTokens, mayWrite, text, questions]) => {
    const { Client } = globalThis as unknown as ClientGlobals;
    const open = async (): Promise<Pith> => {
      const pith = await Client.open();
      const options = { backend: backend as "cpu", contextTokens, force: true };
      await pith.load("encoder", { url: location.origin + encoder }, { backend: backend as "cpu" });
      await pith.load("writer", { url: location.origin + model }, options);
      return pith;
    };
    let pith = await open();
    const { tier } = await pith.testWriter("writer");
    if (mayWrite && tier !== "write") {
      await pith.close();
      // The worker keeps the result of the test in its store.
      const change = async (folder: FileSystemDirectoryHandle): Promise<void> => {
        const entries = (folder as unknown as { values(): AsyncIterable<FileSystemHandle> }).values();
        for await (const entry of entries) {
          if (entry.kind === "directory") await change(entry as FileSystemDirectoryHandle);
          if (entry.name !== "pith-writers.json") continue;
          const note = entry as FileSystemFileHandle;
          const known = await (await note.getFile()).text();
          const writable = await note.createWritable();
          await writable.write(known.replaceAll(`"${tier}"`, `"write"`));
          await writable.close();
        }
      };
      await change(await navigator.storage.getDirectory());
      pith = await open();
    }
    const stages: string[] = [];
    const onProgress = ({ stage, done, total }: { stage: string; done: number; total: number }): void => {
      const words = `${stage} ${done}/${total}`;
      if (stage === "prefill" && stages.at(-1) !== words) stages.push(words);
    };
    // Key points of a small model are its key sentences, whatever it may write.
    const kind = mayWrite ? "simple" : "keyPoints";
    const { written, notWritten, timeMs } = await pith.summarize(text, { kind, writer: "writer", onProgress });
    const history: { question: string; answer: string }[] = [];
    const answers = [];
    for (const question of questions) {
      const { passages, ...answer } = await pith.ask(text, question, { writer: "writer", history: [...history] });
      const lines = answer.written?.lines.map((line) => line.text) ?? [];
      history.push({ question, answer: lines.join(" ") });
      answers.push({ question, passages: passages.length, notWritten: answer.notWritten, written: answer.written });
    }
    return { tier, stages, timeMs, notWritten, written, answers };
  },
  [
    paths,
    values.backend,
    Number(values.context),
    values.write,
    await article(Number(values.words)),
    values.ask,
  ] as const,
);
clearInterval(sampling);
await browser.close();
await site.close();

const s = (ms: number): string => (ms / 1000).toFixed(1);
const { tier, timeMs, written, notWritten, answers, stages } = told;
console.log(`${basename(file)}, ${values.backend}, context ${values.context}, test: may ${tier}`);
if (written) {
  const { parts, shareRead, wordsRead, promptTokens, reusedTokens, tokens, firstLineMs, lines } = written;
  console.log(
    `summary: ${s(timeMs)} s, first line ${s(firstLineMs)} s; ${parts} parts, ${(100 * shareRead).toFixed(1)} % read (${wordsRead} words); ` +
      `${promptTokens} prompt tokens, ${reusedTokens} reused, ${tokens} written`,
  );
  for (const line of lines) console.log(`  ${line.support}: ${line.text}`);
} else console.log(`summary: ${s(timeMs)} s, not written: ${notWritten}`);
for (const { question, written, notWritten, passages } of answers) {
  if (written === null) console.log(`${question} ${passages} passages, not written: ${notWritten}`);
  else
    console.log(
      `${question} first line ${s(written.firstLineMs)} s, all ${s(written.timeMs)} s; ${written.promptTokens} prompt tokens, ` +
        `${written.reusedTokens} reused\n  ${written.lines.map((line) => line.text).join(" ")}`,
    );
}
console.log(`peak of the renderer: ${(peak_kib / 1024).toFixed(0)} MiB; progress: ${stages.join(", ")}`);
