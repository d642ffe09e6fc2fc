// A conversation with history, streamed. Each turn reuses the KV cache of the turns before it.
import { type ChatMessage, Pith } from "@pith/web";
import { chosenModel, type How, part, run } from "../shared.js";

const text = part<HTMLTextAreaElement>("text");
const log = part("log");
const messages: ChatMessage[] = [{ role: "system", content: "You are a helpful assistant. Answer briefly." }];
let pith: Pith | undefined;

part("load").addEventListener("click", () => {
  void run(async (how) => {
    if (!pith?.alive) pith = await Pith.open();
    const model = await chosenModel("smollm2-135m-instruct", how.signal);
    const { title, backend } = await pith.load("language", model, { ...how, contextTokens: 4096 });
    part("load").hidden = true;
    return `${title} runs on ${backend.kind}.`;
  }).then(() => {
    part<HTMLButtonElement>("send").disabled = !part("load").hidden;
    if (part("load").hidden) text.focus();
  });
});

part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  void run(async (how) => answer(text.value, how));
});

async function answer(question: string, how: How): Promise<string> {
  if (!pith) throw new Error("Load the model first.");
  messages.push({ role: "user", content: question });
  show("user", question);
  text.value = "";
  const place = show("assistant", "");
  // Read out when it is complete.
  log.ariaBusy = "true";
  const generation = pith.generate("language", messages, { ...how, maxTokens: 300, overflow: { type: "slide" } });
  try {
    for await (const piece of generation) place.append(piece);
  } finally {
    log.ariaBusy = "false";
    // An answer that was stopped is part of the conversation, too.
    messages.push({ role: "assistant", content: place.textContent ?? "" });
  }
  const { stats } = await generation.result;
  const speed = (stats.tokens / stats.decodeMs) * 1000;
  return `${stats.tokens} tokens, ${speed.toFixed(1)} tokens/s; ${stats.reusedTokens} of the prompt's ${stats.promptTokens} were read before.`;
}

function show(role: string, content: string): HTMLElement {
  const line = document.createElement("p");
  line.className = role;
  line.append(content);
  log.append(line);
  return line;
}
