// Which encoder reads a page, and what the panel says of it.
import type { StoredModel } from "@pith/web";
import { Pith, PithError } from "@pith/web";
import { knownEncoders } from "@pith/web/models";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EncoderUsed } from "../src/encoder-wire.js";
import { closest, quantize } from "../src/history/vectors.js";
import { reads } from "../src/host/encoder.js";
import { Engine } from "../src/host/engine.js";
import { changeRoles, noteTier, type LocalEncoder, readRoles } from "../src/roles.js";
import { encoderNote } from "../src/sidepanel/encoder-note.js";

vi.mock("../src/ui/words.js", () => ({
  t: (key: string, ...values: string[]) => [key, ...values].join(" "),
  called: (name: string) => name,
  languageName: (tag: string) => tag,
  locale: "en",
}));
vi.mock("../src/ui/dom.js", () => ({}));

const encoder: LocalEncoder = { name: "multi.gguf", title: "Multi", source: null, languages: ["en", "de"] };
const stored = (name: string, whole = true) => ({ name, whole }) as StoredModel;

/** A worker whose store has these models; loading one of `broken` fails. */
class Store {
  models = [stored("multi.gguf")];
  broken: Record<string, string> = {};
  languageModels: string[] = [];
  /** The encoders that were loaded: files of the store, or "" for the built-in one. */
  loaded: string[] = [];
  alive = true;
  status = async () => ({ stored: this.models });
  load = async (_: string, input: { stored?: string }) => {
    const file = input.stored ?? "";
    this.loaded.push(file);
    const code = this.broken[file];
    if (code) throw new PithError({ code, message: code });
    return { encoder: !this.languageModels.includes(file), title: file };
  };
  embed = async (_: string, texts: string[]) => texts.map(() => Float32Array.of(1));
  unload = async () => {};
  close(): void {}
}

let store: Store;
let engine: Engine;
beforeEach(() => {
  store = new Store();
  vi.spyOn(Pith, "open").mockImplementation(async () => store as unknown as Pith);
  vi.stubGlobal("chrome", { runtime: { getURL: (path: string) => path } });
  engine = new Engine();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const load = (language: string | null, chosen: LocalEncoder | null = encoder): Promise<EncoderUsed> =>
  engine.load({ backend: "cpu", encoder: chosen }, language, new AbortController().signal, () => {});

describe("the encoder of a page", () => {
  it("is the built-in one where none was chosen", async () => {
    expect(await load("de", null)).toEqual({ title: null, instead: null });
    expect(store.loaded).toEqual([""]);
  });

  it.each(["de", "de-AT", "DE", "en_GB", null, ""])("is the chosen one in the language %j", async (language) => {
    expect(await load(language)).toEqual({ title: "Multi", instead: null });
    expect(await load(language)).toEqual({ title: "Multi", instead: null });
    expect(store.loaded).toEqual(["multi.gguf"]);
  });

  it.each([
    ["language", "hi", {}],
    ["gone", "de", { models: [] }],
    ["incomplete", "de", { models: [stored("multi.gguf", false)] }],
    ["failed", "de", { broken: { "multi.gguf": "bad_file" } }],
    ["failed", "de", { broken: { "multi.gguf": "worker_died" } }],
    ["gone", "de", { broken: { "multi.gguf": "not_stored" } }],
    ["failed", "de", { languageModels: ["multi.gguf"] }],
  ] as const)("is the built-in one, and why is told: %s", async (why, language, change) => {
    Object.assign(store, change);
    expect(await load(language)).toMatchObject({ title: null, instead: { title: "Multi", why } });
    expect(store.loaded.at(-1)).toBe("");
  });

  it("is asked for again where another page ended the worker", async () => {
    store.broken = { "multi.gguf": "worker_replaced" };
    await expect(load("de")).rejects.toMatchObject({ code: "worker_replaced" });
  });

  it("reads every language where nobody says which", () => {
    expect(reads({ ...encoder, languages: null }, "hi")).toBe(true);
    expect(reads(encoder, "hi")).toBe(false);
  });

  it("makes the vectors of the history, which are compared with its own only", async () => {
    const { vectors, encoder: by } = await engine.embed(["x"], { backend: "cpu", encoder }, "de");
    expect(by).toBe("multi.gguf");
    const parts = { summary: [{ text: "x", values: quantize(vectors[0] ?? []), encoder: by }] };
    expect(closest({ id: "a", parts }, quantize([1]), "multi.gguf")?.text).toBe("x");
    expect(closest({ id: "a", parts }, quantize([1]), "")).toBeNull();
    expect(await engine.embed(["x"], { backend: "cpu", encoder: null })).toMatchObject({ encoder: "" });
    // Vectors of a language that the encoder does not know are worth nothing.
    await expect(engine.embed(["x"], { backend: "cpu", encoder: null }, "de")).rejects.toThrow("de");
    await expect(engine.embed(["x"], { backend: "cpu", encoder }, "hi")).rejects.toThrow("hi");
  });
});

describe("the sentence about it", () => {
  const used: EncoderUsed = { title: "Multi", instead: null };
  const gone: EncoderUsed = { title: null, instead: { title: "Multi", why: "gone", detail: "" } };
  const other: EncoderUsed = { title: null, instead: { title: "Other", why: "failed", detail: "Bad." } };
  const failed: EncoderUsed = { title: null, instead: { title: "Multi", why: "failed", detail: "Bad." } };
  const GRANITE = expect.stringMatching(/^encoderGet Granite Embedding 107M Multilingual .*121/);
  const QWEN = expect.stringMatching(/^encoderGet Qwen3 Embedding/);
  const says = (words: string, offer: unknown = GRANITE, detail = "") => ({ words, offer, detail });

  it.each([
    ["none in English", null, null, "en", null],
    ["none where the language is not known", null, null, "und", null],
    ["what finds answers, with an offer", null, null, "de", says("encoderWords de")],
    ["none where the downloaded one reads", encoder, null, "de", null],
    ["none where it has read", encoder, used, "en", null],
    ["none where it may read the language, which is not known", encoder, null, "und", null],
    ["that it was not made for it", encoder, null, "th", says("encoder_language Multi th encoderWords th", QWEN)],
    ["that it is gone", encoder, gone, "en", says("encoder_gone Multi en encoderInstead")],
    ["and what finds answers then", encoder, gone, "de", says("encoder_gone Multi de encoderWords de")],
    ["what the worker says", encoder, failed, "en", says("encoder_failed Multi en encoderInstead", GRANITE, "Bad.")],
    ["nothing of one that is not chosen any more", encoder, other, "de", null],
    ["nothing of it where none is chosen", null, other, "en", null],
  ])("says %s", (_, chosen, used, language, note) => expect(encoderNote(chosen, used, language)).toEqual(note));
});

describe("the choice", () => {
  const store = (roles: unknown) => {
    const kept: Record<string, unknown> = { roles };
    const local = { get: async () => kept, set: async (change: object) => Object.assign(kept, change) };
    vi.stubGlobal("chrome", { runtime: { getManifest: () => ({ version: "1" }) }, storage: { local } });
  };
  const writer = { type: "local" as const, name: "w.gguf", title: "W", source: null, tier: null };

  it("is kept beside who writes", async () => {
    store({ writer });
    expect(await readRoles()).toEqual({ writer, encoder: null });
    await changeRoles({ encoder });
    expect(await readRoles()).toEqual({ writer, encoder });
    await changeRoles({ writer: null });
    expect(await readRoles()).toEqual({ writer: null, encoder });
  });

  it("knows what a model may write until another version tests it otherwise", async () => {
    store({ writer: { ...writer, tier: "shorten", testedBy: "1" } });
    expect((await readRoles()).writer).toEqual({ ...writer, tier: "shorten" });
    await changeRoles({ encoder: null });
    expect((await readRoles()).writer).toEqual({ ...writer, tier: "shorten" });
    await noteTier("other.gguf", "write");
    expect((await readRoles()).writer).toEqual({ ...writer, tier: "shorten" });
    await noteTier("w.gguf", "write");
    expect((await readRoles()).writer).toEqual({ ...writer, tier: "write" });
    for (const stored of [{ tier: "shorten", testedBy: "0" }, { tier: "shorten" }, { tier: "all", testedBy: "1" }]) {
      store({ writer: { ...writer, ...stored } });
      expect((await readRoles()).writer).toEqual(writer);
    }
  });

  it.each([7, "x", {}, { name: 5 }, { name: "" }])("is the built-in one where %j is stored", async (value) => {
    store({ encoder: value });
    expect((await readRoles()).encoder).toBeNull();
  });

  it("drops languages that are none", async () => {
    store({ encoder: { name: "m", languages: ["de", 7] } });
    expect((await readRoles()).encoder).toEqual({ name: "m", title: "m", source: null, languages: null });
  });

  it("is offered for every language of the extension that is not English", () => {
    for (const language of ["ar", "de", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "zh"])
      expect(knownEncoders.some(({ languages }) => languages?.includes(language) ?? true)).toBe(true);
  });
});
