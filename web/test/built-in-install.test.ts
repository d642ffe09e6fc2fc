// Which classes become global where the browser has some of them.
import { afterEach, expect, it, vi } from "vitest";
import { install } from "../src/built-in/index.js";

const CLASSES = [
  "LanguageModel",
  "LanguageModelToolCall",
  "LanguageModelToolError",
  "LanguageModelToolSuccess",
  "Summarizer",
  "Writer",
  "Rewriter",
  "SemanticEmbedder",
  "Translator",
  "LanguageDetector",
];
const has = (name: string): boolean => name in globalThis;

afterEach(() => {
  vi.unstubAllGlobals();
  for (const name of CLASSES) Reflect.deleteProperty(globalThis, name);
});

it("sets every class where there is none, once", () => {
  expect(install()).toEqual(CLASSES);
  expect(CLASSES.every(has)).toBe(true);
  expect(install()).toEqual([]);
});

it("leaves the browser's own, and adds no calls of tools to a model that does not take them", () => {
  const own = class {};
  vi.stubGlobal("LanguageModel", own);
  vi.stubGlobal("Writer", own);
  const parts = CLASSES.filter((name) => name.startsWith("LanguageModel"));
  expect(install()).toEqual(CLASSES.filter((name) => name !== "Writer" && !parts.includes(name)));
  expect(parts.filter(has)).toEqual(["LanguageModel"]);
  expect(Reflect.get(globalThis, "LanguageModel")).toBe(own);
  expect(install({ force: true })).toEqual(CLASSES);
  expect(Reflect.get(globalThis, "LanguageModel")).not.toBe(own);
});
