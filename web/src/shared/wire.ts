// Messages between the tabs of one origin that share a worker. Every page of the origin can read and post notices, so they say nothing
// but who is there. All else goes over channels of two ends (`secret.ts`).

import type { AuthorizeRequest } from "../authorize.js";
import {
  type EventMessage,
  type ModelInfo,
  PROTOCOL_VERSION,
  type RequestMessage,
  type Settings,
} from "../protocol.gen.js";

/** A request with its files. */
export type Sent = RequestMessage & { files?: File[] };

/** A loaded model: its last info, and the requests that load it again in another worker. */
export interface Kept {
  load: Sent;
  loras: Sent[];
  model: ModelInfo;
}

/** What a new worker takes over from the one before it. A client is told its own tokens and picked files, never those of others. */
export interface State {
  settings: Settings;
  /** For downloads, by origin. */
  tokens: AuthorizeRequest[];
  models: Kept[];
}

/** A worker that serves all tabs. Of two, the one with the later term is right. */
export interface HostId {
  id: string;
  term: number;
}

/** A request, by the client that sent it. */
export type Owner = [member: string, id: number];

/** Name of the channel to all tabs, and of the lock that the tab with the worker holds. */
export const CHANNEL = `pith shared 2.${PROTOCOL_VERSION}`;

/** Name of the lock that a client holds as long as it exists; `member` is its public key. */
export const lockOf = (member: string): string => `${CHANNEL} ${member}`;

/** What is posted to all tabs. */
export type Notice =
  | { type: "join"; member: string }
  | { type: "ping" }
  /** From the worker with its id, or from the page that holds it with null. */
  | { type: "pong"; host: string | null }
  /** A worker has started; the lock tells whose. */
  | { type: "host" }
  | { type: "stuck"; requests: Owner[] };

/** What a client posts to the worker: requests, and what the worker before had of it alone. */
export type ToHost = { host: string } & ({ message: Sent } | { state: State });

/** What the worker posts to a client: its welcome and what changes of it, and events. */
export type FromHost = { host: HostId; state: State } | { host: HostId; message: EventMessage };

/** What the page posts to the worker that it holds. */
export type Command = { share: Share | "ping" };

/** Makes a worker serve all tabs. `key` is the private one of the page. */
export interface Share {
  host: HostId;
  state: State;
  key: CryptoKey;
}

/** What the worker is doing, for the watchdog of the page that holds it. */
export interface Activity {
  /** Whether the engine has started and said anything. */
  hasAnswered: boolean;
  isOpen: boolean;
  isPreparing: boolean;
  /** The request that it began last. */
  begun: Owner | null;
}

/** What the worker posts to the page that holds it, beside the events `alive` and `fatal`. */
export type Report = { shared: Activity | "pong" };
