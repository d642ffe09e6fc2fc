// Key sentences of a page, and passages that answer a question. Each is a link to the paragraph that it stands in.
import { type Page, type Passage, Pith } from "@pith/web";
import { chosenModel, part, run } from "../shared.js";

let pith: Pith | undefined;
const open = async (): Promise<Pith> => (pith?.alive ? pith : (pith = await Pith.open()));

// A page is sent to the worker once, so it is read once.
const page = readPage(document.querySelectorAll("article h2, article p, article li"));

// `ask` uses the model with this name, where it is loaded; a summary needs none.
part("load").addEventListener("click", () => {
  void run(async (how) => {
    const model = await chosenModel("granite-embedding-107m-multilingual", how.signal);
    const { title, backend } = await (await open()).load("embedding", model, how);
    part("load").hidden = true;
    return `${title} runs on ${backend.kind}.`;
  });
});

part("summarize").addEventListener("click", () => {
  void run(async (how) => {
    const { lines, sentences } = await (await open()).summarize(page, { ...how, length: "short" });
    show(lines);
    return `${lines.length} of ${sentences} sentences.`;
  });
});

part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  void run(async (how) => {
    const question = part<HTMLInputElement>("question").value;
    const { passages, answered, backend } = await (await open()).ask(page, question, { ...how, limit: 3 });
    show(passages);
    if (!answered) return "The page does not answer this; these come closest.";
    return `These passages answer the question. They were found ${backend ? "by meaning" : "by keywords"}.`;
  });
});

/** The text of elements as blocks. Each element gets the number of its block as its id. */
function readPage(elements: Iterable<Element>): Page {
  const blocks = Array.from(elements, (element, at) => {
    element.id = `block-${at}`;
    const kind = { H2: "heading", LI: "listItem" } as const;
    const text = (element.textContent ?? "").replace(/\s+/g, " ").trim();
    return { kind: kind[element.tagName as keyof typeof kind] ?? ("paragraph" as const), text };
  });
  return { title: document.title, language: document.documentElement.lang, blocks };
}

function show(passages: readonly Passage[]): void {
  const items = passages.map(({ text, block }) => {
    const [item, link] = [document.createElement("li"), document.createElement("a")];
    link.href = `#block-${block}`;
    link.append(text);
    item.append(link);
    return item;
  });
  part("lines").replaceChildren(...items);
}
