// What every bundler builds: opens the worker, loads the model that the query names, and shows what it writes.

import { Pith } from "@pith/web";

/** Ends with the state `done` and the text, or `failed` and the error. */
export async function main(options) {
  const out = document.querySelector("#out");
  const show = (state, text) => {
    out.textContent = text;
    out.dataset.state = state;
  };
  try {
    const query = new URLSearchParams(location.search);
    const pith = await Pith.open({ ...options, shared: query.has("shared") });
    const packaged = query.get("model");
    await pith.load("story", { packaged }, { backend: "cpu" });
    const generation = pith.generate("story", "Once upon a time", { maxTokens: 20 });
    let text = "";
    for await (const piece of generation) text += piece;
    show("done", text);
  } catch (error) {
    const { name, code, message, detail } = error;
    show("failed", JSON.stringify({ name, code, message, detail }));
  }
}
