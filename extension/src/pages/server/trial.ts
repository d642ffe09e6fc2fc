// The test of a server: its models, and one sentence.
import { chat } from "../../host/writers/openai/client.js";
import type { ChatResult } from "../../host/writers/openai/collected.js";
import type { Connection } from "../../host/writers/openai/connection.js";
import { listModels, type ModelList } from "../../host/writers/openai/models.js";
import { number, t } from "../../ui/words.js";

/** Enough for a sentence and some thinking. */
const TOKENS_MAX = 512;

export interface Trial {
  list: ModelList;
  connection: Connection;
  result: ChatResult;
}

/** What is told meanwhile: words, and the sentence as it grows. */
export interface TrialHooks {
  signal: AbortSignal;
  onWords: (words: string) => void;
  onModels: (list: ModelList, chosen: string) => void;
  onText: (text: string) => void;
}

/** Lists the models and has one write: the wanted one where the server offers it, else the first. */
export async function test(base: string, key: string, wanted: string, hooks: TrialHooks): Promise<Trial> {
  const { signal, onWords } = hooks;
  const onLoading = (): void => onWords(t("serverLoadingModel"));
  onWords(t("serverListing"));
  const server = { base, key, dialect: "other" as const, contextTokens: null };
  const list = await listModels(server, signal, onLoading);
  const model = list.models.find(({ id }) => id === wanted) ?? list.models[0];
  if (!model) throw new Error("the list is never empty");
  hooks.onModels(list, model.id);
  const { id, contextTokens } = model;
  const connection: Connection = { base, key, dialect: list.dialect, model: id, contextTokens };
  onWords(t("serverWriting"));
  const messages = [{ role: "user" as const, content: t("serverTestPrompt") }];
  const result = await chat(
    connection,
    { messages, maxTokens: TOKENS_MAX, variant: 0 },
    {
      signal,
      onLoading,
      onText: hooks.onText,
      onReading: (done, total) => onWords(t("serverReadingPrompt", number(done), number(total))),
    },
  );
  return { list, connection, result };
}
