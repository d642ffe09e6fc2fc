import { expect, it } from "vitest";
import catalogue from "../models.json" with { type: "json" };
import { hub, input, knownEncoders, knownModels } from "../src/models.js";

const WORDS = ["id", "name", "maker", "source", "page", "format", "architecture", "licence", "use", "goodAt"] as const;
const KEYS: string[] = [...WORDS, "bytes", "sha256", "contextTokens", "languages", "template"];

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
  for (const count of [model.bytes ?? 1, model.contextTokens ?? 1])
    expect(Number.isSafeInteger(count) && count > 0).toBe(true);
  expect(model.languages ?? ["en"]).not.toEqual([]);
  for (const language of model.languages ?? []) expect(Intl.getCanonicalLocales(language)).toEqual([language]);
});

it("gives a model's address with its hash, where there is one", () => {
  const [model] = knownModels;
  const { sha256, ...without } = { ...model!, sha256: "ab".repeat(32) };
  expect(input({ ...without, sha256 })).toEqual({ url: model!.source, sha256 });
  expect(input(without)).toEqual({ url: model!.source });
});
