// What the pages about models decide by themselves.
import { afterEach, describe, expect, it, vi } from "vitest";
import { estimate, recommend, suiting } from "../src/models/estimate.js";
import { named } from "../src/models/failures.js";
import { forget, readOrigins, remember } from "../src/models/origins.js";
import { askForHost, isAllowed } from "../src/models/permission.js";
import type { Machine } from "../src/models-wire.js";

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
  vi.stubGlobal("chrome", { permissions: { request } });
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

  it("recommends smaller models for a processor, those that know the language, and none where nothing fits", () => {
    const pick = (on: Machine, free: number, memory: number | null, language: string) =>
      recommend(suiting(on, free, memory), language);
    const cpu = pick(machine("cpu", 3.8 * GB), 50 * GB, null, "en-US");
    const gpu = pick(machine("webgpu", 1), 50 * GB, 16 * GB, "en");
    expect(gpu?.bytes).toBeGreaterThan(cpu?.bytes ?? 0);
    expect(pick(machine("cpu", 3.8 * GB), 50 * GB, null, "de")?.languages ?? ["de"]).toContain("de");
    expect(pick(machine("cpu", 3.8 * GB), 50e6, null, "en")).toBe(null);
  });
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
