import type { GenerationResult, ModelInfo, PromptInput } from "@pith/web";
import { part, stoppable } from "./dom.js";
import type { Session } from "./session.js";
import { seconds } from "./words.js";

const ENDS = {
  stop: "the model ended",
  toolCalls: "the model ended",
  length: "the limit was reached",
  context: "the context is full",
};

/** The form that has a language model write. */
export function initWrite(session: Session): void {
  const form = part<HTMLFormElement>("write-form");
  const button = part<HTMLButtonElement>("write");
  let model: ModelInfo | null = null;

  session.onModel((loaded) => {
    if (loaded?.encoder) return;
    model = loaded;
    button.disabled = !model;
    part("write-hint").textContent = model ? `${model.title} is ready.` : "Load a language model first.";
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!model) return;
    const { chat } = model;
    button.disabled = true;
    void stoppable(part("write-stop"), part("write-error"), (signal) => write(session, chat, signal)).finally(() => {
      button.disabled = !model;
    });
  });
}

async function write(session: Session, chat: boolean, signal: AbortSignal): Promise<void> {
  const output = part("output");
  const stats = part("write-stats");
  const text = part<HTMLTextAreaElement>("prompt").value;
  const prompt: PromptInput = chat ? { type: "chat", messages: [{ role: "user", content: text }] } : text;
  // A story continues its beginning; an answer stands for itself.
  output.replaceChildren(chat ? "" : text);
  output.hidden = false;
  stats.textContent = "";
  const result = await session.use(async (pith) => {
    const generation = pith.generate("language", prompt, {
      maxTokens: part<HTMLInputElement>("max-tokens").valueAsNumber || 200,
      sampling: { temperature: part<HTMLInputElement>("temperature").valueAsNumber || 0 },
      signal,
    });
    for await (const piece of generation) output.append(piece);
    return generation.result;
  });
  stats.textContent = describe(result);
}

function describe({ stats, finishReason }: GenerationResult): string {
  const speed = stats.decodeMs > 0 ? (stats.tokens / stats.decodeMs) * 1000 : 0;
  return `${stats.tokens} tokens, ${speed.toFixed(1)} tokens/s, prompt of ${stats.promptTokens} read in ${seconds(stats.prefillMs)}; ${ENDS[finishReason]}.`;
}
