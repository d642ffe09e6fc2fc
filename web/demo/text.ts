import type { Page, Passage, Progress } from "@pith/web";
import { part, stoppable } from "./dom.js";
import type { Session } from "./session.js";
import { seconds } from "./words.js";

/** A text's paragraphs, and where each begins. */
interface Source {
  page: Page;
  starts: number[];
}

/** The forms that summarize a text and ask it something. */
export function initText(session: Session): void {
  const text = part<HTMLTextAreaElement>("text");
  const stop = part("text-stop");
  const errors = part("text-error");
  text.value = SAMPLE;

  part("text-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void stoppable(stop, errors, (signal) => summarize(session, split(text.value), signal)).finally(
      settle("text-status"),
    );
  });
  part("ask-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const question = part<HTMLInputElement>("question").value.trim();
    if (!question) return;
    void stoppable(stop, errors, (signal) => ask(session, split(text.value), question, signal)).finally(
      settle("answer-status"),
    );
  });
}

/** After an error or a stop no status may go on claiming that something is under way. */
const settle = (id: string) => (): void => {
  if (part(id).textContent?.endsWith("…")) part(id).textContent = "";
};

async function summarize(session: Session, source: Source, signal: AbortSignal): Promise<void> {
  const status = part("text-status");
  status.textContent = "Reading…";
  const summary = await session.use((pith) =>
    pith.summarize(source.page, {
      length: part<HTMLSelectElement>("length").value as "short" | "medium" | "long",
      signal,
    }),
  );
  showPassages(part("lines"), summary.lines, source);
  status.textContent = `${summary.lines.length} of ${summary.sentences} sentences in ${seconds(summary.timeMs)}.`;
}

async function ask(session: Session, source: Source, question: string, signal: AbortSignal): Promise<void> {
  const status = part("answer-status");
  status.textContent = "Reading…";
  const onProgress = ({ done, total }: Progress): void => {
    if (total > 0) status.textContent = `Reading ${Math.min(done + 1, total)} of ${total}…`;
  };
  const options = { signal, onProgress };
  const { passages, answered, backend, timeMs } = await session.use((pith) => pith.ask(source.page, question, options));
  showPassages(part("answers"), answered ? passages : [], source);
  const where = backend ? `${backend.kind}, ${backend.device}` : "by its words, without a model";
  status.textContent = answered
    ? `Best passages, found in ${seconds(timeMs)} (${where}).`
    : "Nothing in this text seems to answer that.";
}

/** Each passage is a button that selects its place in the text. */
function showPassages(list: HTMLElement, passages: readonly Passage[], { starts }: Source): void {
  const items = passages.map(({ text, block, start, end }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dir = "auto";
    button.append(text);
    button.addEventListener("click", () => select((starts[block] ?? 0) + start, (starts[block] ?? 0) + end));
    const item = document.createElement("li");
    item.append(button);
    return item;
  });
  list.replaceChildren(...items);
}

function select(start: number, end: number): void {
  const text = part<HTMLTextAreaElement>("text");
  text.focus();
  // A collapsed selection scrolls to its place in every browser, a wide one does not.
  text.setSelectionRange(start, start);
  text.blur();
  text.focus();
  text.setSelectionRange(start, end);
}

function split(text: string): Source {
  const blocks: Page["blocks"] = [];
  const starts: number[] = [];
  for (const { 0: paragraph, index } of text.matchAll(/\S(?:(?!\n\s*\n)[\s\S])*/g)) {
    // One for one, so that places in the paragraph are places in the text.
    blocks.push({ kind: "paragraph", text: paragraph.trimEnd().replace(/\s/g, " ") });
    starts.push(index);
  }
  const title = blocks[0]?.text.slice(0, 120) ?? "";
  return { page: { title, description: null, language: null, blocks }, starts };
}

const SAMPLE = `Bread is one of the oldest prepared foods. Traces of starch on stones show that people ground wild grain and baked it on hot ash at least fourteen thousand years ago, long before they kept fields.

What makes a loaf rise is gas. Yeast feeds on the sugars in flour and gives off carbon dioxide, and a stretchy network of proteins called gluten holds the bubbles in place until heat sets them. Kneading lines the proteins up; a long rest lets them find each other without work.

Sourdough needs no bought yeast. A paste of flour and water, left in the kitchen and fed every day, gathers wild yeasts and lactic bacteria. The bacteria turn it sour, which keeps mould away and breaks down some of the substances that make bread hard to digest.

The oven decides the crust. In the first ten minutes steam keeps the surface soft so that the loaf can swell. After that dry heat above one hundred and forty degrees lets sugars and proteins brown, and most of the smell of fresh bread is made there.

A loaf goes stale even in a closed bag. Staling is not drying: the starch slowly turns back into crystals and pushes water out. A refrigerator makes this faster, a freezer stops it, and a few minutes in a hot oven undo it for a while.`;
