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
  /** Clients that have picked its files, where it has some: they alone may hand them on. */
  owners: Set<string>;
}

/** A token, and the client that gave it: it alone keeps it for the next worker. */
type Token = [owner: string | null, request: AuthorizeRequest];

/** The state that tabs take over from each other. */
export class Registry {
  readonly models = new Map<string, Model>();
  readonly #tell: () => void;
  #settings: Settings;
  #tokens: Token[];

  /** `tell` is called with every change. */
  constructor({ settings, tokens, models }: State, tell: () => void) {
    this.#tell = tell;
    this.#settings = settings;
    this.#tokens = tokens.map((token) => [null, token]);
    for (const kept of models) this.#take(kept, null);
  }

  /** What a client may know: of tokens and of models with picked files its own. */
  stateFor(member: string): State {
    const known = [...this.models.values()].filter((model) => !hasFiles(model) || model.owners.has(member));
    const models = known.map(({ load, loras, model }) => ({ load, loras, model }));
    const tokens = this.#tokens.filter(([owner]) => owner === member).map(([, token]) => token);
    return { settings: this.#settings, tokens, models };
  }

  /** Takes over what only this client knew of the worker before. Gives the tokens. */
  adopt(member: string, { tokens, models }: State): AuthorizeRequest[] {
    for (const token of tokens) this.#addToken(member, token);
    for (const kept of models.filter(hasFiles)) {
      const known = this.models.get(kept.model.name);
      if (!known) this.#take(kept, member);
      else if (hasFiles(known)) known.owners.add(member);
    }
    this.changed();
    return tokens;
  }

  #take(kept: Kept, owner: string | null): void {
    this.#keep({ ...kept, holders: new Set(), isResident: false, owners: new Set(owner ? [owner] : []) });
  }

  #addToken(member: string, token: AuthorizeRequest): void {
    const isOld = ([owner, { origin }]: Token): boolean =>
      origin === token.origin && (owner === member || owner === null || token.token === null);
    this.#tokens = [...this.#tokens.filter((one) => !isOld(one)), [member, token]];
  }

  /** Requests that a new worker gets first. */
  get first(): (Request | AuthorizeRequest)[] {
    const isSet = Object.keys(this.#settings).length > 0;
    return [
      ...this.#tokens.map(([, token]) => token),
      ...(isSet ? [{ type: "configure" as const, settings: this.#settings }] : []),
    ];
  }

  changed(): void {
    this.#tell();
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
      known.owners.add(member);
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
      this.#addToken(member, token);
      this.changed();
    } else if (request.type === "load" && outcome.type === "loaded") {
      const old = this.models.get(request.name);
      const loras = old?.isResident && isSameLoad(old.load, message) ? old.loras : [];
      const holders = new Set(old?.holders).add(member);
      this.#keep({ load: message, loras, model: outcome.model, holders, isResident: true, owners: new Set([member]) });
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

/** Whether files that somebody picked are needed to load a model again. */
const hasFiles = ({ load, loras }: Kept): boolean => [load, ...loras].some(({ files }) => files && files.length > 0);

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
