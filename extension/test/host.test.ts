// The host that ends: the browser lets others connect to a document that it is closing, and what they ask of it is lost.
import { Pith } from "@pith/web";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { closeOpen } from "../src/history/open-pages.js";
import { startHost } from "../src/host/host.js";

vi.mock("../src/history/open-pages.js", () => ({ closeOpen: vi.fn(), keepOpen: vi.fn(), readOpen: async () => null }));

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
  readonly #heard: ((message: object) => void)[] = [];
  onMessage = { addListener: (listener: (message: object) => void) => void this.#heard.push(listener) };
  onDisconnect = { addListener: (listener: () => void) => void this.#ended.push(listener) };
  postMessage = (message: object): void => void this.sent.push(message);
  disconnect = (): void => void (this.isEnded = true);
  hear = (message: object): void => this.#heard.forEach((listener) => listener(message));
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
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

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

it("ends only when what it kept of the last tab is dropped", async () => {
  const pith = {
    alive: true,
    summarize: async () => ({ language: "en" }),
    suggestQuestions: async () => [],
    close() {},
  };
  vi.spyOn(Pith, "open").mockImplementation(async () => pith as unknown as Pith);
  let drop = (): void => {};
  vi.mocked(closeOpen).mockReturnValue(new Promise((resolve) => (drop = resolve)));
  const onIdle = vi.fn(() => true);
  const host = startHost(onIdle);
  const panel = connect();
  const page = { title: "T", blocks: [{ kind: "paragraph", text: "One." }] };
  const coverage = { wordsVisible: 1, wordsRead: 1, leftOut: [] };
  const read = { key: "https://example.org/#1", page, coverage, timeMs: 0, readMs: 0, isPrivate: false };
  panel.hear({ type: "summarize", read, settings: { writer: null, length: "short" } });
  await vi.waitFor(() => expect(panel.sent.at(-1)).toMatchObject({ state: { summary: { phase: "done" } } }));
  host.forget(7);
  panel.leave();
  expect(closeOpen).toHaveBeenCalledOnce();
  expect(onIdle).not.toHaveBeenCalled();
  drop();
  await vi.waitFor(() => expect(onIdle).toHaveBeenCalled());
});
