// The dedicated worker, spoken to in its own protocol, without the client: for what the client would never send.

import type { Page } from "@playwright/test";
import { resolve } from "node:path";
import {
  type Event,
  type EventMessage,
  type Failure,
  type Outcome,
  PROTOCOL_VERSION,
  type Request,
  type Stage,
} from "../../web/src/protocol.gen.ts";
import { ROOT } from "./paths.ts";
import type { Site } from "./server.ts";

/** Everything that came for a request. */
export interface Answer {
  events: Event[];
  /** What it failed with. */
  error?: Failure;
  /** What it gave. */
  result?: Outcome;
}

/** A file for the message's `files`: bytes given as text, or an address to fetch, damaged as wanted. */
export interface FileSpec {
  name?: string;
  text?: string;
  url?: string;
  /** Cut after so many bytes. */
  length_bytes?: number;
  /** Bytes to write `skip_bytes` behind the first occurrence of a text. */
  patch?: { behind: string; skip_bytes: number; bytes: number[] };
}

interface PageSide {
  worker: Worker;
  received: EventMessage[];
  /** When the last event came, of whatever request. */
  heardAt_ms: number;
  /** Thrown outside of any request: the client takes the worker for dead. */
  errors: string[];
  nextId: number;
}
type Global = { raw?: PageSide };

export class RawWorker {
  /** Tabs that are hidden draw no frames, which Playwright would wait for. */
  readonly #poll: { polling: number; timeout: number };

  private constructor(
    readonly page: Page,
    timeout_ms: number,
  ) {
    this.#poll = { polling: 20, timeout: timeout_ms };
  }

  /** Opens a page with a worker in it, which is never silent for `timeout_ms` while it works on a request. */
  static async open(page: Page, site: Site, timeout_ms = 90_000): Promise<RawWorker> {
    site.mount("/pith/", resolve(ROOT, "web/dist"));
    site.handle(
      "/raw",
      (_, response) => void response.setHeader("content-type", "text/html").end("<title>raw</title>"),
    );
    await page.goto(site.url("/raw"));
    const worker = new RawWorker(page, timeout_ms);
    await worker.restart();
    return worker;
  }

  /** Ends the worker, whatever it is doing, and begins another one, from another script if wanted. */
  async restart(script = "/pith/worker.js"): Promise<void> {
    await this.page.evaluate((script) => {
      const global = globalThis as unknown as Global;
      global.raw?.worker.terminate();
      const worker = new Worker(script, { type: "module" });
      const raw: PageSide = { worker, received: [], errors: [], heardAt_ms: performance.now(), nextId: 1 };
      worker.onmessage = (event) => {
        raw.heardAt_ms = performance.now();
        raw.received.push(event.data);
      };
      worker.onerror = (event) => {
        raw.errors.push(event.message);
        console.error(`worker: ${event.message}`);
      };
      global.raw = raw;
    }, script);
  }

  /** Posts any message at all. */
  async post(message: unknown): Promise<void> {
    await this.page.evaluate((m) => (globalThis as unknown as Global).raw!.worker.postMessage(m), message);
  }

  /** Begins a request and gives its id. */
  async start(request: Request, ...specs: FileSpec[]): Promise<number> {
    return this.page.evaluate(
      async ([version, request, specs]) => {
        const raw = (globalThis as unknown as Global).raw!;
        const id = raw.nextId++;
        const message: Record<string, unknown> = { version, id, request };
        const files: File[] = [];
        for (const file of specs) {
          const body = file.url ? await (await fetch(file.url)).blob() : new Blob([file.text ?? ""]);
          const bytes = new Uint8Array(await body.arrayBuffer());
          if (file.patch) {
            // One character per byte, so that positions are the same.
            const at = new TextDecoder("latin1").decode(bytes).indexOf(file.patch.behind);
            if (at < 0) throw new Error(`the file has no ${file.patch.behind}`);
            bytes.set(file.patch.bytes, at + file.patch.behind.length + file.patch.skip_bytes);
          }
          files.push(new File([bytes.subarray(0, file.length_bytes)], file.name ?? "model.gguf"));
        }
        if (files.length > 0) message.files = files;
        raw.worker.postMessage(message);
        return id;
      },
      [PROTOCOL_VERSION, request, specs] as const,
    );
  }

  /** Cancels the first request that has got somewhere in a stage, or has written a token, in the very task that tells so. */
  async cancelAt(moment: Stage | "token"): Promise<void> {
    await this.page.evaluate(
      ([version, moment]) => {
        const raw = (globalThis as unknown as Global).raw!;
        const cancel = ({ data: { id, event } }: MessageEvent<EventMessage>) => {
          const isMoment = event.type === "progress" ? event.stage === moment && event.done > 0 : event.type === moment;
          if (!isMoment) return;
          raw.worker.removeEventListener("message", cancel);
          raw.worker.postMessage({ version, id: raw.nextId++, request: { type: "cancel", target: id } });
        };
        raw.worker.addEventListener("message", cancel);
      },
      [PROTOCOL_VERSION, moment] as const,
    );
  }

  /** Waits for an event of a request. */
  async heard(id: number, type: Event["type"]): Promise<void> {
    await this.page.waitForFunction(
      ([id, type]) => (globalThis as unknown as Global).raw!.received.some((m) => m.id === id && m.event.type === type),
      [id, type] as const,
      this.#poll,
    );
  }

  /** Waits until a request has got so far in a stage. */
  async reached(id: number, stage: Stage, done = 0): Promise<void> {
    await this.page.waitForFunction(
      ([id, stage, done]) =>
        (globalThis as unknown as Global).raw!.received.some(
          (m) => m.id === id && m.event.type === "progress" && m.event.stage === stage && m.event.done >= done,
        ),
      [id, stage, done] as const,
      this.#poll,
    );
  }

  /** Waits for the end of a request, however long it takes, as long as the worker says something. */
  async ended(id: number): Promise<Answer> {
    const asked = await this.page.evaluate(() => performance.now());
    const ended = await this.page.waitForFunction(
      ([id, asked, silence_ms]) => {
        const { received, heardAt_ms } = (globalThis as unknown as Global).raw!;
        const ended = received.some(
          ({ id: of, event: { type } }) => of === id && (type === "done" || type === "failed"),
        );
        if (ended) return "ended";
        return performance.now() - Math.max(heardAt_ms, asked) > silence_ms ? "silent" : false;
      },
      [id, asked, this.#poll.timeout] as const,
      { ...this.#poll, timeout: 0 },
    );
    if ((await ended.jsonValue()) === "silent") {
      throw new Error(`request ${id} has not ended, and the worker was silent for ${this.#poll.timeout} ms`);
    }
    const events = await this.received(id);
    const end = events.at(-1)!;
    return {
      events,
      ...(end.type === "failed" && { error: end.error }),
      ...(end.type === "done" && { result: end.result }),
    };
  }

  /** Everything that came so far for a request. */
  async received(id: number): Promise<Event[]> {
    return this.page.evaluate(
      (id) => (globalThis as unknown as Global).raw!.received.filter((m) => m.id === id).map((m) => m.event),
      id,
    );
  }

  /** Why the worker died, if it did. */
  async deaths(): Promise<string[]> {
    return this.page.evaluate(() => {
      const { received, errors } = (globalThis as unknown as Global).raw!;
      return [...errors, ...received.flatMap(({ event }) => (event.type === "fatal" ? [event.error.detail] : []))];
    });
  }

  /** SHA-256 of each file that a stored model is exported as, computed by the page. */
  async exported(name: string): Promise<string[]> {
    const id = await this.start({ type: "export", name });
    const { error } = await this.ended(id);
    if (error) throw new Error(`export: ${error.code}: ${error.detail}`);
    return this.page.evaluate(async (id) => {
      const { event } = (globalThis as unknown as Global).raw!.received.find((m) => m.id === id)!;
      if (event.type !== "done" || event.result.type !== "files") throw new Error(`export gave ${event.type}`);
      const hash = async (file: Blob) => {
        const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
        return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      };
      return Promise.all(event.result.files.map(hash));
    }, id);
  }

  /** Posts these as requests, whatever they are, and waits for an end of each: "done" or a code. More than one are all given. */
  async sendAll(requests: unknown[]): Promise<string[][]> {
    const ids = await this.page.evaluate(
      ([version, requests]) => {
        const raw = (globalThis as unknown as Global).raw!;
        return requests.map((request) => {
          const id = raw.nextId++;
          raw.worker.postMessage({ version, id, request });
          return id;
        });
      },
      [PROTOCOL_VERSION, requests] as const,
    );
    await this.page.waitForFunction(
      (ids) => {
        const open = new Set(ids);
        for (const { id, event } of (globalThis as unknown as Global).raw!.received) {
          if (event.type === "done" || event.type === "failed") open.delete(id);
        }
        return open.size === 0;
      },
      ids,
      this.#poll,
    );
    // What was sent later is answered later: a second end of any of these has come by now.
    await this.ask({ type: "ping" });
    return this.page.evaluate((ids) => {
      const { received } = (globalThis as unknown as Global).raw!;
      const ends = new Map(ids.map((id) => [id, [] as string[]]));
      for (const { id, event } of received) {
        if (event.type === "done") ends.get(id)?.push("done");
        if (event.type === "failed") ends.get(id)?.push(event.error.code);
      }
      received.length = 0;
      return ids.map((id) => ends.get(id)!);
    }, ids);
  }

  /** A request and its end. */
  async ask(request: Request, ...files: FileSpec[]): Promise<Answer> {
    return this.ended(await this.start(request, ...files));
  }

  /** As `ask`, for a result of this type; a failure is thrown. */
  async get<T extends Outcome["type"]>(
    type: T,
    request: Request,
    ...files: FileSpec[]
  ): Promise<Extract<Outcome, { type: T }>> {
    const { error, result } = await this.ask(request, ...files);
    if (error) throw new Error(`${request.type}: ${error.code}: ${error.detail}`);
    if (result?.type !== type) throw new Error(`${request.type} gave ${result?.type}, not ${type}`);
    return result as Extract<Outcome, { type: T }>;
  }
}

/** Number of `done` and `failed` events: exactly one for every request. */
export const endings = (events: Event[]): number =>
  events.filter(({ type }) => type === "done" || type === "failed").length;
