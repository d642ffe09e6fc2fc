// What the pages about models decide by themselves.
import { afterEach, describe, expect, it, vi } from "vitest";
import { type KnownModel, knownModels } from "@pith/web/models";
import type { WriterTier } from "@pith/web";
import { estimate, fitting } from "../src/models/estimate.js";
import { named } from "../src/models/failures.js";
import { forget, readOrigins, remember } from "../src/models/origins.js";
import type { ModelsLink } from "../src/models/link.js";
import { watchSpeed } from "../src/models/machine-speed.js";
import { askForHost, isAllowed } from "../src/models/permission.js";
import { BEARABLE_S, byQuality, recommend, writeSeconds } from "../src/models/speed.js";
import { type Machine, type ModelsState, NO_MODELS, type ToModels } from "../src/models-wire.js";

afterEach(() => vi.unstubAllGlobals());

const HASH = "ab".repeat(32);
const GB = 1e9;
const machine = (kind: string, budgetBytes: number): Machine => ({
  backend: { kind, device: "", reason: "" },
  budgetBytes,
});

it.each([
  ["https://example.org/m.gguf", true],
  ["http://localhost:8080/m.gguf", true],
  ["http://127.0.0.1/m.gguf", true],
  ["http://example.org/m.gguf", false],
  ["https://me:secret@example.org/m.gguf", false],
  ["file:///m.gguf", false],
  ["javascript:alert(1)", false],
  ["m.gguf", false],
])("an address like %s may be loaded from: %s", (url, may) => expect(isAllowed(url)).toBe(may));

it("asks for one host, without its port", async () => {
  const request = vi.fn(async () => true);
  vi.stubGlobal("chrome", { permissions: { request, contains: async () => true } });
  await askForHost("http://localhost:8080/a/b.gguf?x");
  expect(request).toHaveBeenCalledWith({ origins: ["http://localhost/*"] });
});

describe("an estimate", () => {
  it.each([
    ["likely", 0.8 * GB, machine("cpu", 3.8 * GB), 30 * GB, null],
    ["tight", 2.4 * GB, machine("cpu", 3.8 * GB), 30 * GB, null],
    ["unlikely", 4 * GB, machine("cpu", 3.8 * GB), 30 * GB, null],
    ["noRoom", 4 * GB, machine("cpu", 3.8 * GB), 1 * GB, null],
    ["likely", 2 * GB, machine("webgpu", 1), 30 * GB, 16 * GB],
    ["tight", 2 * GB, machine("webgpu", 1), null, null],
  ] as const)("is %s", (verdict, size, on, free, memory) => {
    expect(estimate(size, on, free, memory).verdict).toBe(verdict);
  });
});

describe("the model to begin with", () => {
  const [cpu, gpu] = [machine("cpu", 3.8 * GB), machine("webgpu", 1)];
  const pick = (on: Machine, speed: number | null, language = "en", free = 50 * GB) =>
    recommend(fitting(on, free, on === gpu ? 16 * GB : null), speed, language);

  it("writes a page of 1,000 words in a bearable time, whatever the machine", () => {
    for (const speed of [3e9, 1e10, 3e10, 1e11, 1e12])
      for (const on of [cpu, gpu]) {
        const found = pick(on, speed);
        if (found) expect(writeSeconds(found, speed)).toBeLessThanOrEqual(BEARABLE_S);
      }
    expect(pick(cpu, 1e8)).toBe(null);
    expect(pick(cpu, null)).toBe(null);
  });

  it("is a better one on a faster machine", () => {
    const [slow, fast] = [pick(cpu, 1e10), pick(gpu, 1e12)];
    expect(fast!.parameters!.layers).toBeGreaterThan(slow!.parameters!.layers);
  });

  it("fits, and knows the reader's language where one does", () => {
    expect(pick(cpu, 1e12, "en", 50e6)).toBe(null);
    expect(pick(gpu, 1e12, "de")?.languages ?? ["de"]).toContain("de");
  });

  it("is the one that writes best by its verdict, not the largest; none that may write no summary", () => {
    const [small, middle, large] = knownModels;
    const judged = (model: typeof small, tier: WriterTier | null, score = 0) => {
      const { verdict: _, otherFiles: __, ...bare } = model!;
      const files = tier ? [{ format: "Q4_K_M", bytes: 1, sha256: "0".repeat(64), verdict: { tier, score } }] : [];
      return { ...bare, otherFiles: files };
    };
    const ids = (...models: KnownModel[]) => byQuality(models).map(({ id }) => id);
    const unknown = judged(large, null);
    expect(ids(judged(small, "write", 0.7), judged(middle, "write", 0.9), unknown)).toEqual([
      middle!.id,
      small!.id,
      large!.id,
    ]);
    expect(ids(judged(small, "shorten", 1), unknown, judged(middle, "chat"))).toEqual([large!.id, small!.id]);
    expect(ids(judged(small, "none"))).toEqual([]);
  });
});

describe("the speed of the machine", () => {
  const state = {
    ...NO_MODELS,
    machine: cpuOf(),
    stock: { stored: [], unknown: [], store: {} },
  } as unknown as ModelsState;
  function cpuOf() {
    return { backend: { kind: "cpu", device: "SIMD", reason: "" }, budgetBytes: 1 };
  }
  /** A page's link without a host. */
  class Link {
    model = { host: state, speed: null as number | null, backend: "cpu" };
    sent: ToModels[] = [];
    #listener: (model: unknown) => void = () => {};
    watch(listener: (model: unknown) => void): void {
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
  }
  let stored: Record<string, unknown>;
  const open = async (kept: unknown, now = 1000) => {
    stored = { speed: kept };
    const local = { get: async () => stored, set: async (next: object) => Object.assign(stored, next) };
    vi.stubGlobal("chrome", { storage: { local } });
    const link = new Link();
    await watchSpeed(link as unknown as ModelsLink, () => now);
    return link;
  };

  it("is measured once, and kept", async () => {
    const link = await open(null);
    expect(link.sent).toEqual([{ type: "measure", backend: "cpu" }]);
    link.update({ host: state });
    expect(link.sent.length).toBe(1);
    link.update({ host: { ...state, speed: 5e9 } });
    expect(link.model.speed).toBe(5e9);
    const again = await open(stored.speed);
    expect([again.model.speed, again.sent]).toEqual([5e9, []]);
  });

  it.each([
    ["of another device", { on: "webgpu A", speed: 1, measuredMs: 1000 }],
    ["that is old", { on: "cpu SIMD", speed: 1, measuredMs: 1000 - 15 * 86_400_000 }],
    ["that is none", { on: "cpu SIMD", speed: -1, measuredMs: 1000 }],
    ["of nobody", "fast"],
  ])("%s is measured again", async (_, kept) => expect((await open(kept)).sent.length).toBe(1));
});

it.each([
  ["http_status", "https://e.org/m.gguf answered with status 401", "http_401"],
  ["http_status", "https://e.org/m.gguf answered with status 429", "http_429"],
  ["http_status", "https://e.org/m.gguf answered with status 503", "http_5xx"],
  ["http_status", "https://e.org/m.gguf answered with status 418", "http_status"],
  ["network_error", "https://e.org/m.gguf: it ended", "network_error"],
])("an error %s, %j, is called %s", (code, detail, name) => {
  vi.stubGlobal("navigator", { onLine: true });
  expect(named({ code, message: "", help: "", detail }).code).toBe(name);
});

it("a machine without a network is told so", () => {
  vi.stubGlobal("navigator", { onLine: false });
  expect(named({ code: "network_error", message: "", help: "", detail: "" }).code).toBe("offline");
});

it("what is remembered of a download goes with its model", async () => {
  let stored: Record<string, unknown> = {};
  const local = { get: async () => stored, set: async (next: typeof stored) => (stored = next) };
  vi.stubGlobal("chrome", { storage: { local } });
  await remember({ url: "a", sha256: [HASH] }, "A");
  await remember({ url: "b" }, "B");
  await forget("a");
  expect(await readOrigins()).toEqual({ b: { title: "B" } });
});

it("what another version stored of downloads is read with care", async () => {
  const downloads = { a: { title: "A", sha256: [HASH] }, b: { title: 7 }, c: null, d: { title: "D", sha256: ["x"] } };
  vi.stubGlobal("chrome", { storage: { local: { get: async () => ({ downloads }) } } });
  expect(await readOrigins()).toEqual({ a: { title: "A", sha256: [HASH] }, d: { title: "D" } });
});
