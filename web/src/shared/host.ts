// The worker's side of sharing: it gives the requests of all tabs ids of their own and remembers what is loaded.

import type { AuthorizeRequest } from "../authorize.js";
import {
  type Event,
  type EventMessage,
  type Failure,
  type Outcome,
  PROTOCOL_VERSION,
  type Request,
} from "../protocol.gen.js";
import { activityOf, createJob, type Job, nameOf } from "./jobs.js";
import { Members } from "./members.js";
import { modelsOf, Registry } from "./registry.js";
import type { HostId, Report, Sent, Share } from "./wire.js";

/** Routes requests and events between the engine and every client of the origin. */
export class Host {
  readonly #host: HostId;
  readonly #toEngine: (message: Sent) => void;
  readonly #toPage: (message: Report | EventMessage) => void;
  readonly #members: Members;
  readonly #jobs = new Map<number, Job>();
  readonly #registry: Registry;
  #nextId = 1;
  readonly #begun = new Set<number>();
  #hasAnswered = false;
  #reported = "";

  constructor(share: Share, toEngine: (message: Sent) => void, toPage: (message: Report | EventMessage) => void) {
    this.#host = share.host;
    this.#toEngine = toEngine;
    this.#toPage = toPage;
    this.#registry = new Registry(share.state, () => this.#members.tellState());
    for (const request of this.#registry.first) this.#tell(request);
    this.#members = new Members(share, {
      stateFor: (member) => this.#registry.stateFor(member),
      receive: (member, message) => this.#receive(member, message),
      adopt: (member, state) => this.#registry.adopt(member, state).forEach((token) => this.#tell(token)),
      leave: (member) => this.#leave(member),
    });
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
      if (event.type === "begun") this.#begun.add(id);
      if (event.type === "progress") job.stage = event.stage;
      if (job.member !== null) this.#post(job, event);
      else if (event.type === "progress")
        for (const other of this.#jobs.values()) if (other.waitsFor.has(nameOf(job))) this.#post(other, event);
    }
    this.#report();
  }

  /** A request of its own, whose answer is of no interest. */
  #tell(request: Request | AuthorizeRequest): void {
    this.#toEngine({ version: PROTOCOL_VERSION, id: this.#nextId++, request: request as Request });
  }

  #post({ member, id }: Job, event: Event): void {
    if (member === null) return;
    this.#members.send(member, { host: this.#host, message: { version: PROTOCOL_VERSION, id, event } });
  }

  #leave(member: string): void {
    for (const [engineId, job] of this.#jobs) if (job.member === member) this.#cancel(engineId, job);
    for (const { holders } of this.#registry.models.values()) holders.delete(member);
    this.#report();
  }

  #receive(member: string, message: Sent): void {
    const { request } = message;
    const job = createJob(member, message);
    const known = this.#registry.answer(member, message);
    if (known) {
      // A model that is not there may still be on its way.
      if (request.type === "unload" && !this.#registry.models.has(request.name)) {
        this.#tell(request);
        this.#release(request.name);
      }
      this.#post(job, { type: "done", result: known });
    } else if (request.type === "cancel" || request.type === "pause" || request.type === "resume") {
      this.#direct(member, request);
    } else {
      this.#start(job);
    }
    this.#report();
  }

  /** Cancels, pauses or resumes a request of the same client. */
  #direct(member: string, request: Extract<Request, { target: number }>): void {
    for (const [engineId, job] of this.#jobs) {
      if (job.member !== member || job.id !== request.target) continue;
      if (request.type === "cancel") return this.#cancel(engineId, job);
      job.isPaused = request.type === "pause";
      if (job.waitsFor.size === 0) this.#tell({ ...request, target: engineId });
      return;
    }
  }

  #cancel(engineId: number, { message, waitsFor }: Job): void {
    this.#jobs.delete(engineId);
    this.#registry.doubt(message);
    this.#begun.delete(engineId);
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
    const model = this.#registry.models.get(name);
    if (!model || model.isResident) return false;
    if (model.restoring.size > 0) return true;
    // The engine runs requests of one model in order.
    for (const message of [model.load, ...model.loras]) {
      const engineId = this.#nextId++;
      this.#jobs.set(engineId, createJob(null, message, "load"));
      model.restoring.add(engineId);
    }
    for (const engineId of model.restoring) this.#run(engineId, this.#jobs.get(engineId)!);
    return true;
  }

  #restored(engineId: number, job: Job, event: Extract<Event, { type: "done" | "failed" }>): void {
    const name = nameOf(job);
    const model = this.#registry.models.get(name);
    if (!model?.restoring.delete(engineId)) return;
    const isModel = job.message.request.type === "load";
    if (event.type === "failed" && isModel) {
      this.#registry.forget(name);
      for (const [id, waiting] of this.#jobs) if (waiting.waitsFor.has(name)) this.#end(id, event);
      return;
    }
    if (event.type === "failed") model.loras = model.loras.filter((lora) => lora !== job.message);
    else if (event.result.type === "loaded") model.model = event.result.model;
    if (model.restoring.size > 0) return;
    model.isResident = true;
    this.#registry.changed();
    this.#release(name);
  }

  /** Runs what has waited for a model. */
  #release(name: string): void {
    for (const [id, waiting] of this.#jobs)
      if (waiting.waitsFor.delete(name) && waiting.waitsFor.size === 0) this.#run(id, waiting);
  }

  #end(engineId: number, event: { type: "done"; result: Outcome } | { type: "failed"; error: Failure }): void {
    const job = this.#jobs.get(engineId);
    if (!job) return;
    this.#jobs.delete(engineId);
    this.#begun.delete(engineId);
    if (job.member === null) return this.#restored(engineId, job, event);
    if (event.type === "done") {
      event = { ...event, result: this.#registry.note(job.message, job.member, event.result) };
      // Another client may have waited for the model that this one has replaced.
      if (job.message.request.type === "load") this.#release(job.message.request.name);
    } else this.#registry.doubt(job.message);
    this.#post(job, event);
  }

  #report(): void {
    const last = this.#jobs.get([...this.#begun].at(-1) ?? 0);
    const activity = { hasAnswered: this.#hasAnswered, ...activityOf(this.#jobs.values(), last) };
    const text = JSON.stringify(activity);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#toPage({ shared: activity });
  }
}
