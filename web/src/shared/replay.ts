// A request that is sent again to another worker: the caller gets every piece of text once.

import { clientErrors, PithError } from "../errors.js";
import {
  type Event,
  type Failure,
  type MessageDelta,
  type Outcome,
  PROTOCOL_VERSION,
  type Request,
} from "../protocol.gen.js";
import type { Sent } from "./wire.js";

/** A request that has ended so many workers is not repeated any more. */
const ATTEMPTS_MAX = 3;

type Failed = Extract<Event, { type: "failed" }>;

/** A request that has not ended. */
export class Replay {
  readonly message: Sent;
  isPaused = false;
  /** How many workers it was sent to. */
  #attempts = 0;
  /** Text, log probabilities and deltas that the caller has. */
  #text = "";
  #logprobs = 0;
  #deltas = 0;
  /** How much of them the present worker has sent. */
  #textAt = 0;
  #logprobsAt = 0;
  #deltasAt = 0;
  /** The ids of tool calls that the caller has: another worker draws others. */
  readonly #callIds: string[] = [];

  constructor(message: Sent) {
    fixSeed(message.request);
    this.message = message;
  }

  /** Messages for another worker, or its failure if it has ended too many. */
  repeat(): Sent[] | Failed {
    this.#attempts += 1;
    this.#textAt = this.#logprobsAt = this.#deltasAt = 0;
    if (this.#attempts > ATTEMPTS_MAX) return failed(clientErrors.died("it ended whenever this request was repeated"));
    const { id } = this.message;
    const pause: Sent = { version: PROTOCOL_VERSION, id, request: { type: "pause", target: id } };
    return this.isPaused ? [this.message, pause] : [this.message];
  }

  /** What the caller is to see of an event; null for nothing. */
  take(event: Event): Event | null {
    if (event.type === "token") return this.#continue(event);
    if (event.type === "done" && event.result.type === "text") {
      if (!event.result.text.startsWith(this.#text)) return DIFFERS;
      event.result.message?.toolCalls.forEach((call, at) => (call.id = this.#callIds[at] ?? call.id));
    }
    // It was done by the worker that ended before it could say so.
    if (event.type === "failed" && this.#attempts > 1 && isAlreadyDone(this.message.request, event)) return DONE;
    return event;
  }

  /** Leaves out what the caller has, and compares it. */
  #continue({ text, logprobs = [], deltas = [] }: Extract<Event, { type: "token" }>): Event | null {
    const known = this.#text.slice(this.#textAt, this.#textAt + text.length);
    if (!text.startsWith(known)) return DIFFERS;
    const knownLogprobs = Math.min(this.#logprobs - this.#logprobsAt, logprobs.length);
    const [fresh, freshLogprobs] = [text.slice(known.length), logprobs.slice(knownLogprobs)];
    const freshDeltas = deltas.flatMap((delta) => this.#continueDelta(delta));
    this.#textAt += text.length;
    this.#logprobsAt += logprobs.length;
    this.#text += fresh;
    this.#logprobs += freshLogprobs.length;
    return fresh || freshLogprobs.length > 0 || freshDeltas.length > 0
      ? { type: "token", text: fresh, logprobs: freshLogprobs, deltas: freshDeltas }
      : null;
  }

  /** The workers may cut the same text in other places. What has no text counts as one character. */
  #continueDelta(delta: MessageDelta): MessageDelta[] {
    const chars = "text" in delta ? delta.text.length : 1;
    const known = Math.min(this.#deltas - this.#deltasAt, chars);
    this.#deltasAt += chars;
    this.#deltas += chars - known;
    if (known === chars) return [];
    if (delta.type === "toolCall") this.#callIds[delta.index] = delta.id;
    return ["text" in delta ? { ...delta, text: delta.text.slice(known) } : delta];
  }
}

/** The end of a request with an error of the client. */
export const failed = (error: PithError): Failed => ({ type: "failed", error: error.toData() as Failure });

/** The end of a generation whose text cannot be continued. */
export const DIFFERS: Failed = failed(
  new PithError({
    code: "replay_differs",
    message: "The text could not be continued after its tab was closed.",
    help: "Generate it again.",
    detail: "repeated by another worker, the generation did not begin with the text that was delivered",
  }),
);

const DONE: Event = { type: "done", result: { type: "ok" } satisfies Outcome };

const isAlreadyDone = ({ type }: Request, { error: { code } }: Failed): boolean =>
  (type === "delete" && code === "not_stored") || (type === "unload" && code === "model_not_loaded");

/** A generation that is repeated must draw the same tokens. */
function fixSeed(request: Request): void {
  if (request.type !== "generate" || !(request.sampling?.temperature ?? 0)) return;
  const drawn = crypto.getRandomValues(new Uint32Array(1))[0]!;
  request.sampling = { ...request.sampling, seed: request.sampling?.seed ?? drawn };
}
