// The host that ends: the browser lets others connect to a document that it is closing, and what they ask of it is lost.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startHost } from "../src/host/host.js";

type Listener = (argument: never) => void;

const OWN = "chrome-extension://pith";
const SENDER = { id: "pith", url: `${OWN}/sidepanel/index.html?tab=7`, origin: OWN };
let onConnect: Listener[] = [];

class Port {
  readonly sent: object[] = [];
  isEnded = false;
  readonly name = "panel:7";
  readonly sender = SENDER;
  readonly #ended: (() => void)[] = [];
  onMessage = { addListener: () => {} };
  onDisconnect = { addListener: (listener: () => void) => void this.#ended.push(listener) };
  postMessage = (message: object): void => void this.sent.push(message);
  disconnect = (): void => void (this.isEnded = true);
  leave = (): void => this.#ended.forEach((listener) => listener());
}

beforeEach(() => {
  onConnect = [];
  const event = { addListener: () => {} };
  vi.stubGlobal("location", { origin: OWN });
  vi.stubGlobal("chrome", {
    runtime: {
      id: "pith",
      getURL: (path: string) => `${OWN}${path}`,
      onConnect: { addListener: (listener: Listener) => void onConnect.push(listener) },
      onMessage: event,
    },
    storage: { onChanged: event, local: { get: async () => ({}) }, session: { get: async () => ({}) } },
  });
});
afterEach(() => vi.unstubAllGlobals());

function connect(): Port {
  const port = new Port();
  onConnect.forEach((listener) => listener(port as never));
  return port;
}

it("takes no panel any more once it ends, and leaves its port to the next host", () => {
  const onIdle = vi.fn(() => true);
  startHost(onIdle);
  const first = connect();
  expect(first.sent).toHaveLength(1);
  first.leave();
  expect(onIdle).toHaveBeenCalledOnce();
  const second = connect();
  expect(second.isEnded).toBe(false);
  expect(second.sent).toEqual([]);
});

it("takes the next panel where the browser lets it go on", () => {
  startHost(() => false);
  connect().leave();
  const next = connect();
  expect(next.isEnded).toBe(false);
  expect(next.sent).toHaveLength(1);
});
