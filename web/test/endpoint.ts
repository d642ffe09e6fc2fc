import { type Event, type EventMessage, PROTOCOL_VERSION, type RequestMessage } from "../src/protocol.gen.js";
import { Pith, type Status } from "../src/index.js";

/** What `status` answers. */
export const status: Status = {
  models: [],
  stored: [],
  unknown: [],
  store: { kind: "opfs", usedBytes: 5, freeBytes: null, persisted: false, promptBytes: 0 },
  wasmHeapBytes: 7,
  backend: null,
};

/** What a scripted worker was asked, and how it answers. */
export interface Script {
  /** Every message, in order. */
  readonly seen: (RequestMessage & { files?: unknown })[];
  /** Answers a request. */
  send: (id: number, event: Event) => void;
  /** Resolves with the first message of that type. */
  asked: (type: RequestMessage["request"]["type"]) => Promise<RequestMessage & { files?: unknown }>;
}

/** A client at one end of a MessagePort and a script at the other, which answers `status` by itself. */
export async function openScripted(known: Status = status): Promise<{ pith: Pith; script: Script }> {
  const { port1, port2 } = new MessageChannel();
  const seen: Script["seen"] = [];
  const waiting: { type: string; tell: (message: Script["seen"][number]) => void }[] = [];
  const send: Script["send"] = (id, event) => {
    const message: EventMessage = { version: PROTOCOL_VERSION, id, event };
    port2.postMessage(message);
  };
  port2.addEventListener("message", ({ data }: MessageEvent<Script["seen"][number]>) => {
    seen.push(data);
    if (data.request.type === "status") {
      send(data.id, { type: "done", result: { type: "status", ...known } });
    }
    for (const one of waiting.filter(({ type }) => type === data.request.type)) {
      waiting.splice(waiting.indexOf(one), 1);
      one.tell(data);
    }
  });
  port2.start();
  const asked: Script["asked"] = (type) => {
    const already = seen.find(({ request }) => request.type === type);
    return already ? Promise.resolve(already) : new Promise((tell) => waiting.push({ type, tell }));
  };
  const pith = await Pith.open({ endpoint: port1 });
  return { pith, script: { seen, send, asked } };
}

export const model = {
  name: "language",
  title: "Tiny",
  architecture: "llama",
  encoder: false,
  vocab: 512,
  contextTokens: 512,
  backend: { kind: "cpu", device: "wasm simd128", reason: "No WebGPU here." },
  weightsBytes: 1,
  kvBytes: 2,
  loadMs: 3,
  heapGrowthBytes: 4,
  chat: false,
  loras: [],
  tier: null,
};

export const stats = {
  promptTokens: 1,
  tokens: 3,
  prefillMs: 1,
  decodeMs: 2,
  objectsCreated: 0,
  dispatchesPerToken: 30,
  submitsPerToken: 1,
  queueWritesPerToken: 1,
  readbackBytesPerToken: 4,
  heapGrowthBytes: 0,
  reusedTokens: 0,
  restoredTokens: 0,
  slices: 1,
  drafted: 0,
  accepted: 0,
  slides: 0,
  sharedTokens: 0,
  recoveries: 0,
  seed: null,
};

export const page = {
  title: "A page",
  description: null,
  language: "en",
  blocks: [{ kind: "paragraph" as const, text: "One sentence. Another sentence." }],
};

export const summary = {
  title: "A page",
  description: null,
  isDescribed: false,
  comments: null,
  kind: "prose",
  kindConfidence: 0,
  kinds: [],
  lines: [{ text: "One sentence.", block: 0, start: 0, end: 13, score: 1, headers: [], code: null, speaker: null }],
  language: "en",
  written: null,
  notWritten: null,
  sentences: 2,
  words: 4,
  leftOut: { chars: 0, blocks: 0, sentences: 0 },
  timeMs: 1,
};

export const answer = {
  passages: [],
  answered: false,
  reason: "notOnPage" as const,
  leftOut: { chars: 0, blocks: 0, sentences: 0 },
  language: "en",
  backend: null,
  withoutEncoder: null,
  written: null,
  notWritten: null,
  timeMs: 4,
};

export const stored = {
  name: "m-0123456789abcdef.gguf",
  title: null,
  url: "https://example.org/m.gguf",
  bytes: 4,
  totalBytes: 4,
  files: 1,
  whole: true,
  sha256: ["00".repeat(32)],
  pinned: false,
  lastUsedMs: 0,
};
