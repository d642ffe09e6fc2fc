// What a shared worker remembers for the one after it: loaded models, settings, tokens.

import { type AuthorizeRequest, isAuthorize } from "../authorize.js";
import type { ModelInfo, Outcome, Request, Settings } from "../protocol.gen.js";
import type { Kept, Sent, State } from "./wire.js";

/** A model that was loaded. */
export interface Model extends Kept {
  /** Clients that have loaded it. */
  holders: Set<string>;
  /** False until it is loaded again, after the worker before this one has ended. */
  isResident: boolean;
  /** Requests that are loading it again. */
  restoring: Set<number>;
}

/** The state that tabs take over from each other. */
export class Registry {
  readonly models = new Map<string, Model>();
  readonly #tell: (state: State) => void;
  #settings: Settings;
  #tokens: AuthorizeRequest[];

  /** `tell` is called with every change. */
  constructor({ settings, tokens, models }: State, tell: (state: State) => void) {
    this.#tell = tell;
    this.#settings = settings;
    this.#tokens = tokens;
    for (const kept of models) this.#keep({ ...kept, holders: new Set(), isResident: false });
  }

  get state(): State {
    const models = [...this.models.values()].map(({ load, loras, model }) => ({ load, loras, model }));
    return { settings: this.#settings, tokens: this.#tokens, models };
  }

  /** Requests that a new worker gets first. */
  get first(): (Request | AuthorizeRequest)[] {
    const isSet = Object.keys(this.#settings).length > 0;
    return [...this.#tokens, ...(isSet ? [{ type: "configure" as const, settings: this.#settings }] : [])];
  }

  changed(): void {
    this.#tell(this.state);
  }

  forget(name: string): void {
    if (this.models.delete(name)) this.changed();
  }

  /** The outcome of a request that the engine need not see; null if it must. */
  answer(member: string, message: Sent): Outcome | null {
    const { request } = message;
    const known = "name" in request ? this.models.get(request.name) : undefined;
    if (!known) return null;
    // The engine itself recognizes every source but picked files.
    if (request.type === "load" && known.isResident && message.files && isSameLoad(known.load, message)) {
      known.holders.add(member);
      return { type: "loaded", model: known.model };
    }
    if (request.type !== "unload") return null;
    known.holders.delete(member);
    if (known.holders.size > 0) return { type: "ok" };
    if (known.isResident) return null;
    this.forget(request.name);
    return { type: "ok" };
  }

  /** A load that ended early may have taken away the model of the same name. */
  doubt({ request }: Sent): void {
    const known = request.type === "load" && this.models.get(request.name);
    if (known) known.isResident = false;
  }

  /** Remembers what a request has changed. Gives the outcome as the client is to see it. */
  note(message: Sent, member: string, outcome: Outcome): Outcome {
    const { request } = message;
    const token: unknown = request;
    if (isAuthorize(token)) {
      this.#tokens = [...this.#tokens.filter(({ origin }) => origin !== token.origin), token];
      this.changed();
    } else if (request.type === "load" && outcome.type === "loaded") {
      const old = this.models.get(request.name);
      const loras = old?.isResident && isSameLoad(old.load, message) ? old.loras : [];
      const holders = new Set(old?.holders).add(member);
      this.#keep({ load: message, loras, model: outcome.model, holders, isResident: true });
    } else if (request.type === "loadLora" && outcome.type === "loaded") {
      this.#keepLora(request.model, request.name, message, outcome.model);
    } else if (request.type === "unload") {
      this.forget(request.name);
    } else if (request.type === "configure") {
      const given = Object.entries(request.settings).filter(([, value]) => value !== undefined && value !== null);
      this.#settings = { ...this.#settings, ...Object.fromEntries(given) };
      this.changed();
    } else if (outcome.type === "status") {
      const known = new Set(outcome.models.map(({ name }) => name));
      const waiting = [...this.models.values()].filter(
        ({ model, isResident }) => !isResident && !known.has(model.name),
      );
      return { ...outcome, models: [...outcome.models, ...waiting.map(({ model }) => model)] };
    }
    return outcome;
  }

  #keep(model: Omit<Model, "restoring">): void {
    this.models.set(model.model.name, { ...model, restoring: new Set() });
    if (model.isResident) this.changed();
  }

  #keepLora(name: string, lora: string, message: Sent, info: ModelInfo): void {
    const model = this.models.get(name);
    if (!model) return;
    const others = model.loras.filter(({ request }) => request.type !== "loadLora" || request.name !== lora);
    this.#keep({ ...model, loras: [...others, message], model: info });
  }
}

/** Loaded models that a request uses. */
export function modelsOf(request: Request): string[] {
  if ("model" in request) return [request.model];
  switch (request.type) {
    case "applyTemplate":
      return request.template.type === "model" ? [request.template.model] : [];
    case "summarize":
      return ["embedding", request.options?.writer ?? []].flat();
    case "ask":
      return ["embedding", request.writer ?? []].flat();
    case "suggestQuestions":
    case "preparePrompt":
    case "attribute":
      return ["embedding"];
    default:
      return [];
  }
}

/** Whether two requests load the same files in the same way. */
export function isSameLoad(one: Sent, other: Sent): boolean {
  const describe = ({ request, files = [] }: Sent): string =>
    JSON.stringify([request, files.map(({ name, size, lastModified }) => [name, size, lastModified])]);
  return describe(one) === describe(other);
}
