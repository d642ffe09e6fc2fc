import { expect, it } from "vitest";
import catalogue from "../models.json" with { type: "json" };
import { findFile, hub, input, knownEncoders, knownModels, type WriterVerdict } from "../src/models.js";

const WORDS = ["id", "name", "maker", "source", "page", "format", "architecture", "licence", "use", "goodAt"] as const;
const KEYS: string[] = [
  ...WORDS,
  "bytes",
  "sha256",
  "contextTokens",
  "languages",
  "template",
  "verdict",
  "otherFiles",
  "parameters",
];
const TIERS = ["none", "chat", "shorten", "write"];

const all = [...knownModels, ...knownEncoders];

it("has models, each once, smallest first", () => {
  expect(Object.keys(catalogue)).toEqual(["hub", "models", "encoders"]);
  expect(new URL(hub).origin).toBe(hub);
  for (const key of ["id", "name", "source"] as const)
    expect(new Set(all.map((model) => model[key])).size, key).toBe(all.length);
  for (const models of [knownModels, knownEncoders]) {
    expect(models.length).toBeGreaterThan(0);
    const sizes = models.flatMap(({ bytes }) => bytes ?? []);
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  }
});

it("has the parameters of every language model, in proportion to its file", () => {
  for (const { id, parameters, bytes, format } of knownModels) {
    const bits = (8 * bytes!) / (parameters!.layers + parameters!.vocabulary);
    const [least, most] = format === "Q8_0" ? [8.4, 9.5] : format === "Q1_0" ? [1, 1.5] : [4.4, 8];
    expect(bits > least && bits < most, `${id}: ${bits.toFixed(2)} bits`).toBe(true);
  }
});

it("says what each is for: language models write, embedding models read", () => {
  for (const { use } of knownModels) expect(["gist", "short", "articles", "long"]).toContain(use);
  for (const { use } of knownEncoders) expect(["read", "readSlowly"]).toContain(use);
});

it("has embedding models that read other languages than English, without a template", () => {
  for (const { id, languages, template, bytes, sha256 } of knownEncoders) {
    expect(languages?.length ?? Infinity, id).toBeGreaterThan(1);
    expect(template, id).toBeUndefined();
    expect([typeof bytes, typeof sha256], id).toEqual(["number", "string"]);
  }
});

it.each(all.map((model) => [model.id, model] as const))("%s says what it must, in its form", (_, model) => {
  expect(Object.keys(model).filter((key) => !KEYS.includes(key))).toEqual([]);
  expect(model.id).toMatch(/^[a-z0-9.-]+$/);
  const { protocol, pathname, search } = new URL(model.source);
  expect([protocol, search]).toEqual(["https:", ""]);
  expect(pathname).toMatch(/\.gguf$/);
  expect(new URL(model.page).protocol).toBe("https:");
  for (const key of WORDS) expect(model[key].trim(), key).not.toBe("");
  expect(model.sha256 ?? "0".repeat(64)).toMatch(/^[0-9a-f]{64}$/);
  const { layers = 1, vocabulary = 1 } = model.parameters ?? {};
  for (const count of [model.bytes ?? 1, model.contextTokens ?? 1, layers, vocabulary])
    expect(Number.isSafeInteger(count) && count > 0).toBe(true);
  expect(model.languages ?? ["en"]).not.toEqual([]);
  for (const language of model.languages ?? []) expect(Intl.getCanonicalLocales(language)).toEqual([language]);
});

function expectVerdict(verdict: WriterVerdict | undefined, id: string): void {
  if (!verdict) return;
  expect(Object.keys(verdict).sort(), id).toEqual(["score", "tier"]);
  expect(TIERS, id).toContain(verdict.tier);
  expect(verdict.score >= 0 && verdict.score <= 1, id).toBe(true);
}

it.each(all.map((model) => [model.id, model] as const))("%s has verdicts of files that are told apart", (id, model) => {
  expectVerdict(model.verdict, id);
  if (model.verdict) expect(model.sha256, id).toBeDefined();
  for (const file of model.otherFiles ?? []) {
    expect(Object.keys(file).filter((key) => !["format", "bytes", "sha256", "verdict"].includes(key))).toEqual([]);
    expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
    expectVerdict(file.verdict, id);
  }
});

it("finds a file by its hash, with the verdict of that file", () => {
  const hashes = all.flatMap(({ sha256, otherFiles = [] }) => [sha256, ...otherFiles.map((one) => one.sha256)]);
  expect(new Set(hashes).size).toBe(hashes.length);
  for (const model of all) {
    if (model.sha256)
      expect(findFile(model.sha256)).toEqual({ model, format: model.format, verdict: model.verdict ?? null });
    for (const { sha256, format, verdict = null } of model.otherFiles ?? [])
      expect(findFile(sha256)).toEqual({ model, format, verdict });
  }
  expect(findFile("0".repeat(64))).toBe(null);
});

it("gives a model's address with its hash, where there is one", () => {
  const [model] = knownModels;
  const { sha256, ...without } = { ...model!, sha256: "ab".repeat(32) };
  expect(input({ ...without, sha256 })).toEqual({ url: model!.source, sha256 });
  expect(input(without)).toEqual({ url: model!.source });
});
