// What the pages about models decide by themselves.
import { knownModels } from "@pith/web/models";
import { afterEach, describe, expect, it, vi } from "vitest";
import { estimate, recommend, suiting } from "../src/models/estimate.js";
import { named } from "../src/models/failures.js";
import { choose, findOnHub, onHub, parseHubName, readList, titleOf } from "../src/models/hub.js";
import { forget, readOrigins, remember } from "../src/models/origins.js";
import { askForHost, isAllowed } from "../src/models/permission.js";
import type { Machine } from "../src/models-wire.js";

afterEach(() => vi.unstubAllGlobals());

const GB = 1e9;
const machine = (kind: string, budgetBytes: number): Machine => ({
  backend: { kind, device: "", reason: "" },
  budgetBytes,
});
const HASH = "ab".repeat(32);
const entry = (path: string, size = 10, oid = HASH) => ({ type: "file", path, size, lfs: { oid } });
const signal = new AbortController().signal;

describe("a name on the hub", () => {
  it.each([
    ["acme/Tiny-GGUF", { owner: "acme", repo: "Tiny-GGUF", quant: null }],
    [" acme/Tiny-1.5B:Q4_K_M ", { owner: "acme", repo: "Tiny-1.5B", quant: "Q4_K_M" }],
  ])("%j is one", (text, name) => expect(parseHubName(text)).toEqual(name));

  it.each(["tiny", "a/b/c", "../x", "a/..", "https://a.example/b", "a/b:", "a/b?x=1", "a b/c", `${"a".repeat(97)}/b`])(
    "%j is none, or stays inside its folder",
    (text) => expect(parseHubName(text)?.repo ?? null).toSatisfy((repo) => repo === null),
  );
});

describe("the files of a repository", () => {
  it("are those of models, with hashes that are hashes", () => {
    const list = [
      entry("a-Q8_0.gguf"),
      entry("b.gguf", 5, "no hash"),
      entry("mmproj-a-f16.gguf"),
      { path: "README.md", size: 1 },
      { path: 7, size: 1 },
      null,
      "text",
    ];
    expect(readList(list)).toEqual([
      { path: "a-Q8_0.gguf", size: 10, sha256: HASH },
      { path: "b.gguf", size: 5, sha256: null },
    ]);
    expect(() => readList({ error: "no" })).toThrow(expect.objectContaining({ code: "hub_answer" }));
  });

  const files = readList(
    ["m-Q4_K_S", "m-Q4_K_M", "m-Q4_K_M-extra", "m-q8_0", "big/m-F16-00002-of-00002", "big/m-F16-00001-of-00002"].map(
      (name) => entry(`${name}.gguf`),
    ),
  );
  it.each([
    [null, ["m-Q4_K_M.gguf"]],
    ["Q4_K_S", ["m-Q4_K_S.gguf"]],
    ["Q8_0", ["m-q8_0.gguf"]],
    ["f16", ["big/m-F16-00001-of-00002.gguf", "big/m-F16-00002-of-00002.gguf"]],
  ])("for %s are %j", (quant, paths) => expect(choose(files, quant).map(({ path }) => path)).toEqual(paths));

  it("have to be there: the error lists what is", () => {
    expect(() => choose(files, "Q4_K")).toThrow(
      expect.objectContaining({ code: "hub_no_quant", detail: "Q4_K_S, Q4_K_M, q8_0, F16" }),
    );
    expect(() => choose([], "Q4_0")).toThrow(expect.objectContaining({ code: "hub_no_gguf" }));
  });

  it("are asked for without cookies, and an endless answer is cut off", async () => {
    const answer = JSON.stringify([entry("m-Q4_0.gguf", 123)]);
    const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response(answer));
    vi.stubGlobal("fetch", fetch);
    const name = { owner: "acme", repo: "m", quant: null };
    expect(await findOnHub("https://hub.example", name, signal)).toEqual({
      url: "https://hub.example/acme/m/resolve/main/m-Q4_0.gguf",
      title: "m-Q4_0",
      bytes: 123,
      files: 1,
      sha256: [HASH],
    });
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({ credentials: "omit" });
    fetch.mockImplementation(
      async () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1 << 20)) })),
    );
    await expect(findOnHub("https://hub.example", name, signal)).rejects.toMatchObject({ code: "hub_answer" });
  });
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

it("finds a known model on another hub, and leaves other addresses alone", () => {
  const { source } = knownModels[0]!;
  expect(onHub(source, "https://mirror.example")).toBe(`https://mirror.example${new URL(source).pathname}`);
  expect(onHub("https://example.org/m.gguf", "https://mirror.example")).toBe("https://example.org/m.gguf");
  expect(titleOf("a/My%20Model-00001-of-00003.gguf")).toBe("My Model");
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
