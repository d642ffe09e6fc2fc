// The line between a panel and the host: a host that ends just as a panel opens is there for the browser, and hears nothing.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HostLink } from "../src/ui/host-link.js";

type Listener = (message?: unknown) => void;

class Port {
  readonly sent: unknown[] = [];
  readonly #heard: Listener[] = [];
  readonly #ended: Listener[] = [];
  onMessage = { addListener: (listener: Listener) => void this.#heard.push(listener) };
  onDisconnect = { addListener: (listener: Listener) => void this.#ended.push(listener) };
  postMessage = (message: unknown): void => void this.sent.push(message);
  disconnect(): void {}
  say = (message: unknown): void => this.#heard.forEach((listener) => listener(message));
  end = (): void => this.#ended.forEach((listener) => listener());
}

let ports: Port[] = [];
let canStart = true;

beforeEach(() => {
  [ports, canStart] = [[], true];
  vi.stubGlobal("chrome", {
    offscreen: {
      Reason: {},
      createDocument: () => (canStart ? Promise.resolve() : Promise.reject(new Error("no host"))),
    },
    runtime: {
      ContextType: {},
      getContexts: async () => [],
      connect: () => ports[ports.push(new Port()) - 1],
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

const link = (onState: (state: string) => void = () => {}, onLost: () => void = () => {}): HostLink<string, string> =>
  new HostLink("panel", onState, onLost);
const port = (at: number): Promise<Port> => vi.waitFor(() => ports[at] ?? Promise.reject(new Error("no port")));

it("opens with the state of the next host, where the first one has ended unheard", async () => {
  const states: string[] = [];
  const opened = link((state) => states.push(state)).open();
  for (const at of [0, 1]) (await port(at)).end();
  (await port(2)).say({ state: "first" });
  await opened;
  expect(states).toEqual(["first"]);
});

it("says why there is no host, also where there was one before", async () => {
  const panel = link();
  const opened = panel.open();
  const first = await port(0);
  canStart = false;
  first.end();
  await expect(opened).rejects.toThrow("no host");
  // The next message tries it again.
  canStart = true;
  await panel.send("hello");
  expect((await port(1)).sent).toEqual(["hello"]);
});

it("tells of a host that has ended, and connects to the next", async () => {
  const lost = vi.fn();
  const panel = link(undefined, lost);
  const opened = panel.open();
  (await port(0)).say({ state: "first" });
  await opened;
  (await port(0)).end();
  (await port(1)).say({ state: "second" });
  expect(lost).toHaveBeenCalledTimes(1);
});
