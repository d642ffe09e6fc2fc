// Search by meaning: every note becomes a vector of length 1, and the dot product of two vectors says how close they are.
import { Pith } from "@pith/web";
import { chosenModel, part, run } from "../shared.js";

interface Note {
  text: string;
  vector: Float32Array;
}

const FOUND_MAX = 3;
let pith: Pith | undefined;
let notes: Note[] = [];

part("index").addEventListener("click", () => {
  const lines = part<HTMLTextAreaElement>("notes").value.split("\n");
  const texts = lines.map((line) => line.trim()).filter((line) => line !== "");
  void run(async (how) => {
    if (!pith?.alive) pith = await Pith.open();
    const { models } = await pith.status();
    if (models.length === 0)
      await pith.load("notes", await chosenModel("granite-embedding-107m-multilingual", how.signal), how);
    const known = new Map(notes.map((note) => [note.text, note.vector]));
    const missing = texts.filter((text) => !known.has(text));
    const vectors = await pith.embed("notes", missing, how);
    for (const [at, vector] of vectors.entries()) known.set(missing[at] ?? "", vector);
    notes = texts.map((text) => ({ text, vector: known.get(text) ?? new Float32Array() }));
    return `${notes.length} notes can be searched.`;
  }).then(() => {
    part<HTMLButtonElement>("search").disabled = notes.length === 0;
  });
});

part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  void run(async (how) => {
    if (!pith) throw new Error("Read the notes first.");
    const [wanted = new Float32Array()] = await pith.embed("notes", [part<HTMLInputElement>("query").value], how);
    const scored = notes.map(({ text, vector }) => ({ text, score: dot(vector, wanted) }));
    const found = scored.sort((a, b) => b.score - a.score).slice(0, FOUND_MAX);
    part("found").replaceChildren(
      ...found.map(({ text, score }) => {
        const item = document.createElement("li");
        item.append(`${text} (${score.toFixed(2)})`);
        return item;
      }),
    );
    return `The ${found.length} closest of ${notes.length} notes.`;
  });
});

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (const [at, value] of a.entries()) sum += value * (b[at] ?? 0);
  return sum;
}
