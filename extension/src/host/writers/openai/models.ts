// The models of a server.
import type { Connection, Dialect } from "./connection.js";
import { LIMITS, type Limits } from "./limits.js";
import { ask, type Call, hostOf, problem, readText } from "./request.js";
import { serverError } from "./errors.js";
import { findError, refusalError, toRefusal } from "./refusals.js";
import { Watch } from "./watch.js";

/** A model that a server offers. */
export interface ServerModel {
  id: string;
  /** Null where the server does not tell it. */
  contextTokens: number | null;
}

export interface ModelList {
  models: ServerModel[];
  dialect: Dialect;
  /** There are more; they are passed over. */
  isCut: boolean;
}

const NAME_MAX = 1_024;
const CALL = { path: "/models", accept: "application/json" };

/**
 * Asks for the models.
 *
 * # Errors
 * A `ServerError`, or the reason of the signal.
 */
export async function listModels(
  connection: Omit<Connection, "model">,
  signal: AbortSignal,
  onLoading: () => void = () => {},
  limits: Limits = LIMITS,
): Promise<ModelList> {
  const call: Call = { ...CALL, within_ms: limits.silence_ms };
  const whole: Connection = { ...connection, model: "" };
  const watch = new Watch(signal, limits.all_ms, () => problem(whole, call, "server_endless"));
  try {
    const response = await ask(whole, call, watch, limits, onLoading);
    const body = await readText(response, limits.listBytes + 1).catch((error: unknown) => {
      throw watch.signal.aborted ? watch.signal.reason : problem(whole, call, "server_broken_off", String(error));
    });
    if (body.length > limits.listBytes) throw problem(whole, call, "server_too_much");
    return toList(body, whole, call, limits);
  } finally {
    watch.end();
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function toList(body: string, connection: Connection, call: Call, limits: Limits): ModelList {
  let value: unknown = null;
  try {
    value = JSON.parse(body);
  } catch {
    // Said below.
  }
  const error = findError(value);
  const host = hostOf(connection);
  if (error !== null) {
    const names = { host, tried: `${connection.base}${call.path}`, retryAfter: null };
    throw refusalError(toRefusal(0, error), { ...names, hasKey: connection.key !== "" });
  }
  const data = isRecord(value) ? value["data"] : null;
  if (!Array.isArray(data)) {
    throw serverError("server_not_openai", host, `${connection.base}${call.path}`, body.slice(0, 200));
  }
  const entries = data.filter(isRecord);
  const models = entries.slice(0, limits.models).flatMap((entry): ServerModel[] => {
    const { id } = entry;
    return typeof id === "string" && id !== "" && id.length <= NAME_MAX
      ? [{ id, contextTokens: contextOf(entry) }]
      : [];
  });
  if (models.length === 0) throw problem(connection, call, "server_no_models");
  return { models, dialect: dialectOf(entries[0]), isCut: entries.length > limits.models };
}

/** vLLM calls it `max_model_len`, llama-server has it among `meta`. */
function contextOf(entry: Record<string, unknown>): number | null {
  const meta = isRecord(entry["meta"]) ? entry["meta"] : {};
  const found = [entry["max_model_len"], meta["n_ctx"], entry["context_length"], entry["max_context_length"]];
  return found.find((one): one is number => Number.isSafeInteger(one) && Number(one) > 0) ?? null;
}

function dialectOf(entry: Record<string, unknown> | undefined): Dialect {
  if (entry?.["owned_by"] === "llamacpp") return "llama.cpp";
  return entry?.["owned_by"] === "vllm" ? "vllm" : "other";
}
