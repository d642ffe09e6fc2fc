// The worker's side of sharing: it gives the requests of all tabs ids of their own and remembers what is loaded.

import { type AuthorizeRequest, isAuthorize } from "../authorize.js";
import {
  type Event,
  type EventMessage,
  type Failure,
  type Outcome,
  PROTOCOL_VERSION,
  type Request,
  type Settings,
  type Stage,
} from "../protocol.gen.js";
import {
  type Activity,
  CHANNEL,
  channelOf,
  type FromHost,
  type HostId,
  type Kept,
  type Notice,
  type Report,
  type Sent,
  type State,
  type ToHost,
} from "./wire.js";

interface Job {
  /** The client that asked; null for a model that is loaded again. */
  member: string | null;
  /** Its own id of the request. */
  id: number;
  message: Sent;
  stage: Stage | null;
  /** Models that have to be loaded again first. */
  waitsFor: Set<string>;
  isPaused: boolean;
}

interface Model extends Kept {
  /** Clients that have loaded it. */
  holders: Set<string>;
  /** False until it is loaded again, after the worker before this one has ended. */
  isResident: boolean;
  /** Requests that are loading it again. */
  restoring: Set<number>;
}

type Requested<T extends Request["type"]> = Extract<Request, { type: T }>;

/** Routes requests and events between the engine and every client of the origin. */
export class Host {
  readonly #host: HostId;
  readonly #toEngine: (message: Sent) => void;
  readonly #toPage: (message: Report | EventMessage) => void;
  readonly #channel = new BroadcastChannel(CHANNEL);
  readonly #members = new Map<string, BroadcastChannel>();
  readonly #jobs = new Map<number, Job>();
  readonly #models = new Map<string, Model>();
  #settings: Settings;
  #tokens: AuthorizeRequest[];
  #nextId = 1;
  #begun: number | null = null;
  #hasAnswered = false;
  #reported = "";

  constructor(
    { host, state }: { host: HostId; state: State },
    toEngine: (message: Sent) => void,
    toPage: (message: Report | EventMessage) => void,
  ) {
    this.#host = host;
    this.#toEngine = toEngine;
    this.#toPage = toPage;
    this.#settings = state.settings;
    this.#tokens = state.tokens;
    for (const kept of state.models) this.#keep({ ...kept, holders: new Set(), isResident: false });
    this.#channel.addEventListener("message", ({ data }: MessageEvent<Notice>) => {
      if (data.type === "ping") this.#tellAll({ type: "pong", host: host.id });
      if (data.type === "join") this.#welcome(data.member);
    });
    for (const token of this.#tokens) this.#tell(token);
    if (Object.keys(this.#settings).length > 0) this.#tell({ type: "configure", settings: this.#settings });
    this.#tellAll({ type: "host", host });
  }

  /** Answers the page that holds this worker. */
  pong(): void {
    this.#toPage({ shared: "pong" });
  }

  /** Takes an event of the engine. */
  take(message: EventMessage): void {
    const { id, event } = message;
    if (event.type === "alive") return this.#toPage(message);
    if (event.type === "fatal") {
      // Repeated in the next worker, they could end that one too.
      for (const job of this.#jobs.keys()) this.#end(job, { type: "failed", error: event.error });
      return this.#toPage(message);
    }
    this.#hasAnswered = true;
    const job = this.#jobs.get(id);
    if (!job) return;
    if (event.type === "done" || event.type === "failed") {
      this.#end(id, event);
    } else {
      if (event.type === "begun") this.#begun = id;
      if (event.type === "progress") job.stage = event.stage;
      if (job.member !== null) this.#post(job, event);
      else if (event.type === "progress") this.#tellWaiting(nameOf(job), event);
    }
    this.#report();
  }

  /** A request of its own, whose answer is of no interest. */
  #tell(request: Request | AuthorizeRequest): void {
    this.#toEngine({ version: PROTOCOL_VERSION, id: this.#nextId++, request: request as Request });
  }

  #tellAll(notice: Notice): void {
    this.#channel.postMessage(notice);
  }

  #post({ member, id }: Job, event: Event): void {
    this.#send(member, { host: this.#host, message: { version: PROTOCOL_VERSION, id, event } });
  }

  #send(member: string | null, message: FromHost): void {
    if (member !== null) this.#members.get(member)?.postMessage(message);
  }

  get #state(): State {
    const models = [...this.#models.values()].map(({ load, loras, model }) => ({ load, loras, model }));
    return { settings: this.#settings, tokens: this.#tokens, models };
  }

  #welcome(member: string): void {
    if (!this.#members.has(member)) {
      const channel = new BroadcastChannel(channelOf(member));
      this.#members.set(member, channel);
      channel.addEventListener("message", ({ data }: MessageEvent<ToHost>) => {
        if (data.host === this.#host.id) this.#receive(member, data.message);
      });
      // The client holds this lock as long as it exists.
      navigator.locks.request(channelOf(member), () => this.#leave(member)).catch(() => {});
    }
    this.#send(member, { host: this.#host, state: this.#state });
  }

  #leave(member: string): void {
    for (const [engineId, job] of this.#jobs) if (job.member === member) this.#cancel(engineId, job);
    for (const { holders } of this.#models.values()) holders.delete(member);
    this.#members.get(member)?.close();
    this.#members.delete(member);
    this.#report();
  }

  #receive(member: string, message: Sent): void {
    const { id, request } = message;
    const job: Job = { member, id, message, stage: null, waitsFor: new Set(), isPaused: false };
    switch (request.type) {
      case "cancel":
      case "pause":
      case "resume":
        this.#direct(member, request);
        break;
      case "load": {
        const known = this.#models.get(request.name);
        // The worker itself recognizes every source but picked files.
        if (known?.isResident && message.files && isSameLoad(known.load, message)) {
          known.holders.add(member);
          this.#post(job, { type: "done", result: { type: "loaded", model: known.model } });
        } else this.#start(job);
        break;
      }
      case "unload": {
        const known = this.#models.get(request.name);
        known?.holders.delete(member);
        if (known && (known.holders.size > 0 || !known.isResident)) {
          if (known.holders.size === 0) this.#forget(request.name);
          this.#post(job, { type: "done", result: { type: "ok" } });
        } else this.#start(job);
        break;
      }
      default:
        this.#start(job);
    }
    this.#report();
  }

  /** Cancels, pauses or resumes a request of the same client. */
  #direct(member: string, request: Requested<"cancel" | "pause" | "resume">): void {
    for (const [engineId, job] of this.#jobs) {
      if (job.member !== member || job.id !== request.target) continue;
      if (request.type === "cancel") return this.#cancel(engineId, job);
      job.isPaused = request.type === "pause";
      if (job.waitsFor.size === 0) this.#tell({ ...request, target: engineId });
      return;
    }
  }

  #cancel(engineId: number, { waitsFor }: Job): void {
    this.#jobs.delete(engineId);
    if (this.#begun === engineId) this.#begun = null;
    if (waitsFor.size === 0) this.#tell({ type: "cancel", target: engineId });
  }

  #start(job: Job): void {
    const engineId = this.#nextId++;
    this.#jobs.set(engineId, job);
    for (const name of modelsOf(job.message.request)) if (this.#restore(name)) job.waitsFor.add(name);
    if (job.waitsFor.size === 0) this.#run(engineId, job);
    else job.stage = "load";
  }

  #run(engineId: number, { message, isPaused }: Job): void {
    this.#toEngine({ ...message, id: engineId });
    if (isPaused) this.#tell({ type: "pause", target: engineId });
  }

  /** Loads a model again that the worker before this one had. False if it is there, or was never loaded. */
  #restore(name: string): boolean {
    const model = this.#models.get(name);
    if (!model || model.isResident) return false;
    if (model.restoring.size > 0) return true;
    // The engine runs requests of one model in order.
    for (const message of [model.load, ...model.loras]) {
      const engineId = this.#nextId++;
      const job: Job = { member: null, id: engineId, message, stage: "load", waitsFor: new Set(), isPaused: false };
      this.#jobs.set(engineId, job);
      model.restoring.add(engineId);
    }
    for (const engineId of model.restoring) this.#run(engineId, this.#jobs.get(engineId)!);
    return true;
  }

  #restored(engineId: number, job: Job, event: Extract<Event, { type: "done" | "failed" }>): void {
    const name = nameOf(job);
    const model = this.#models.get(name);
    if (!model?.restoring.delete(engineId)) return;
    const isModel = job.message.request.type === "load";
    if (event.type === "failed" && isModel) {
      this.#forget(name);
      for (const [id, waiting] of this.#jobs) if (waiting.waitsFor.has(name)) this.#end(id, event);
      return;
    }
    if (event.type === "failed") model.loras = model.loras.filter((lora) => lora !== job.message);
    else if (event.result.type === "loaded") model.model = event.result.model;
    if (model.restoring.size > 0) return;
    model.isResident = true;
    this.#tellState();
    for (const [id, waiting] of this.#jobs)
      if (waiting.waitsFor.delete(name) && waiting.waitsFor.size === 0) this.#run(id, waiting);
  }

  #tellWaiting(name: string, event: Event): void {
    for (const waiting of this.#jobs.values()) if (waiting.waitsFor.has(name)) this.#post(waiting, event);
  }

  #end(engineId: number, event: { type: "done"; result: Outcome } | { type: "failed"; error: Failure }): void {
    const job = this.#jobs.get(engineId);
    if (!job) return;
    this.#jobs.delete(engineId);
    if (this.#begun === engineId) this.#begun = null;
    if (job.member === null) return this.#restored(engineId, job, event);
    const { request } = job.message;
    if (event.type === "done") event = { ...event, result: this.#note(job, job.member, event.result) };
    // A load that fails may have taken away the model of the same name.
    else if (request.type === "load") this.#lose(request.name);
    this.#post(job, event);
  }

  #lose(name: string): void {
    const model = this.#models.get(name);
    if (model) model.isResident = false;
  }

  /** Remembers what a request has changed. Gives the outcome as the client is to see it. */
  #note({ message }: Job, member: string, outcome: Outcome): Outcome {
    const { request } = message;
    if (isAuthorize(request)) {
      const asked: AuthorizeRequest = request;
      this.#tokens = [...this.#tokens.filter(({ origin }) => origin !== asked.origin), asked];
      this.#tellState();
    } else if (request.type === "load" && outcome.type === "loaded") {
      const old = this.#models.get(request.name);
      const loras = old?.isResident && isSameLoad(old.load, message) ? old.loras : [];
      const holders = new Set(old?.holders).add(member);
      this.#keep({ load: message, loras, model: outcome.model, holders, isResident: true });
    } else if (request.type === "loadLora" && outcome.type === "loaded") {
      const model = this.#models.get(request.model);
      const isOther = ({ request: { ...other } }: Sent) => (other as { name?: string }).name !== request.name;
      if (model) this.#keep({ ...model, loras: [...model.loras.filter(isOther), message], model: outcome.model });
    } else if (request.type === "unload") {
      this.#forget(request.name);
    } else if (request.type === "configure") {
      const given = Object.entries(request.settings).filter(([, value]) => value !== undefined && value !== null);
      this.#settings = { ...this.#settings, ...Object.fromEntries(given) };
      this.#tellState();
    } else if (outcome.type === "status") {
      const known = new Set(outcome.models.map(({ name }) => name));
      const waiting = [...this.#models.values()].filter(
        ({ model, isResident }) => !isResident && !known.has(model.name),
      );
      return { ...outcome, models: [...outcome.models, ...waiting.map(({ model }) => model)] };
    }
    return outcome;
  }

  #keep(model: Omit<Model, "restoring">): void {
    this.#models.set(model.model.name, { ...model, restoring: new Set() });
    if (model.isResident) this.#tellState();
  }

  #forget(name: string): void {
    if (this.#models.delete(name)) this.#tellState();
  }

  #tellState(): void {
    this.#tellAll({ type: "state", state: this.#state });
  }

  #report(): void {
    const jobs = [...this.#jobs.values()];
    const begun = this.#begun === null ? undefined : this.#jobs.get(this.#begun);
    const activity: Activity = {
      hasAnswered: this.#hasAnswered,
      isOpen: jobs.length > 0,
      isPreparing: jobs.some(({ stage }) => stage === "load" || stage === "compile"),
      begun: begun?.member ? [begun.member, begun.id] : null,
    };
    const text = JSON.stringify(activity);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#toPage({ shared: activity });
  }
}

/** The model that a job of this worker's own loads. */
function nameOf({ message: { request } }: Job): string {
  return request.type === "loadLora" ? request.model : request.type === "load" ? request.name : "";
}

/** Loaded models that a request uses. */
function modelsOf(request: Request): string[] {
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

function isSameLoad(one: Sent, other: Sent): boolean {
  const describe = ({ request, files = [] }: Sent): string =>
    JSON.stringify([request, files.map(({ name, size, lastModified }) => [name, size, lastModified])]);
  return describe(one) === describe(other);
}
