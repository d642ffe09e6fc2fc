// Whether stored files write or read is looked up once.
import type { StoredModel } from "@pith/web";
import { knownEncoders } from "@pith/web/models";
import { expect, it, vi } from "vitest";
import { watchKinds } from "../src/models/kinds.js";
import type { ModelsLink, PageModel } from "../src/models/link.js";
import { NO_MODELS, type ToModels, type Work } from "../src/models-wire.js";

vi.mock("../src/ui/words.js", () => ({}));

const stored = (name: string, change: Partial<StoredModel> = {}): StoredModel =>
  ({ name, title: null, url: null, whole: true, files: 1, bytes: 1, sha256: [null], ...change }) as StoredModel;

class Link {
  model: PageModel;
  sent: ToModels[] = [];
  #listener: (model: PageModel) => void = () => {};
  constructor(files: StoredModel[]) {
    const host = { ...NO_MODELS, stock: { stored: files, unknown: [], store: {} } };
    this.model = { host, hub: "https://hub.example", origins: {}, backend: "cpu" } as unknown as PageModel;
  }
  watch(listener: (model: PageModel) => void): void {
    this.#listener = listener;
    listener(this.model);
  }
  update(change: object): void {
    this.model = { ...this.model, ...change };
    this.#listener(this.model);
  }
  send(message: ToModels): void {
    this.sent.push(message);
  }
  show(work: Record<string, Work>): void {
    this.update({ host: { ...this.model.host, work } });
  }
}

it("looks at files that nobody knows, remembers what it found, and looks no more", async () => {
  let kept: Record<string, unknown> = {};
  const local = { get: async () => kept, set: async (next: object) => (kept = { ...kept, ...next }) };
  vi.stubGlobal("chrome", { storage: { local } });
  const known = stored("known.gguf", { sha256: [knownEncoders[0]!.sha256!] });
  const link = new Link([stored("a.gguf"), stored("half.gguf", { whole: false }), known]);
  watchKinds(link as unknown as ModelsLink);
  const check = { type: "check", key: "a.gguf", model: { stored: "a.gguf" }, backend: "cpu" };
  expect(link.sent).toEqual([check]);
  link.update({});
  expect(link.sent.length).toBe(1);
  const fit = { encoder: true } as never;
  link.show({ "a.gguf": { kind: "check", phase: "done", result: { type: "fit", fit } } });
  await vi.waitFor(() => expect(link.model.origins).toEqual({ "a.gguf": { title: "a", encoder: true } }));
  link.show({});
  expect(link.sent.length).toBe(1);
});

it("waits for other work on a file", () => {
  const link = new Link([]);
  watchKinds(link as unknown as ModelsLink);
  const stock = { stored: [stored("a.gguf")], unknown: [], store: {} };
  const working = { kind: "import", phase: "working" } as unknown as Work;
  link.update({ host: { ...link.model.host, stock, work: { "a.gguf": working } } });
  expect(link.sent).toEqual([]);
  link.show({});
  expect(link.sent.length).toBe(1);
});
