// An app that starts and answers without a network: a service worker keeps the app, Pith's store the model.
import { type ModelInput, Pith } from "@pith/web";
import { findModel } from "@pith/web/hub";
import { type How, part, run } from "../shared.js";

const download = part<HTMLButtonElement>("download");
let pith: Pith | undefined;

void run(start);

// The service worker is there in the built app only.
if (import.meta.env.PROD) void navigator.serviceWorker.register("./sw.js");
void navigator.serviceWorker.ready.then(() => (part("app").textContent = "stored"));

/** Loads the stored model, or offers to download it. */
async function start(how: How): Promise<string> {
  pith = await Pith.open();
  const stored = (await pith.status()).stored.find(({ whole }) => whole);
  if (stored) return load({ stored: stored.name }, how);
  const model = await chosen();
  const fit = await pith.fit(model, how);
  const { host } = new URL(model.url, location.href);
  download.textContent = `Download ${fit.title} (${Math.round(fit.downloadBytes / 1e6)} MB from ${host})`;
  download.hidden = fit.verdict === "tooLarge" || fit.verdict === "noRoom";
  download.onclick = () => void run((how) => load(model, how));
  return fit.reason;
}

/** `load` stores a model from a URL first. A download that was stopped goes on where it was. */
async function load(model: ModelInput, how: How): Promise<string> {
  if (!pith) throw new Error("not open");
  const { title, backend } = await pith.load("language", model, { ...how, contextTokens: 2048 });
  part("model").textContent = `${title}, stored`;
  download.hidden = true;
  part<HTMLButtonElement>("ask").disabled = false;
  return `Ready on ${backend.kind}.`;
}

/** The model that the address names (`?model=/models/m.gguf`), or a known one. */
async function chosen(): Promise<{ url: string }> {
  const url = new URLSearchParams(location.search).get("model");
  return url ? { url } : findModel("smollm2-135m-instruct");
}

part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  void run(async (how) => {
    if (!pith) throw new Error("not open");
    const output = part("output");
    output.textContent = "";
    const messages = [{ role: "user", content: part<HTMLInputElement>("text").value }];
    const generation = pith.generate("language", messages, { ...how, maxTokens: 200 });
    for await (const piece of generation) output.append(piece);
    const { stats } = await generation.result;
    return `${stats.tokens} tokens.`;
  });
});
