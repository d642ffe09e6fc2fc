// The Language Detector API over a worker that answers as it is told; what the real one finds is tested in `engine/digest`.
import { afterEach, expect, it } from "vitest";
import { configure, LanguageDetector } from "../src/built-in/index.js";
import { openScripted } from "./endpoint.js";

afterEach(() => configure({}));

const languages = [
  { language: "de", confidence: 0.75 },
  { language: "nl", confidence: 0.2 },
  { language: "und", confidence: 0.05 },
];

it("gives what the worker finds, under the names of the API", async () => {
  const { pith, script } = await openScripted();
  configure({ pith });
  const detector = await LanguageDetector.create();
  const found = detector.detect("Das ist ein Satz.");
  const { id, request } = await script.asked("detectLanguage");
  expect(request).toEqual({ type: "detectLanguage", text: "Das ist ein Satz." });
  script.send(id, { type: "done", result: { type: "languages", languages } });
  expect(await found).toEqual([
    { detectedLanguage: "de", confidence: 0.75 },
    { detectedLanguage: "nl", confidence: 0.2 },
    { detectedLanguage: "und", confidence: 0.05 },
  ]);
});

it("sends no more of an input than is read, and refuses what is over its quota", async () => {
  const { pith, script } = await openScripted();
  configure({ pith });
  const detector = await LanguageDetector.create();
  void detector.detect("a".repeat(100_000)).catch(() => {});
  const { request } = await script.asked("detectLanguage");
  expect(request.type === "detectLanguage" && request.text.length).toBe(65_536);
  expect(await detector.measureInputUsage("abc")).toBe(3);
  const long = "a".repeat(detector.inputQuota + 1);
  await expect(detector.detect(long)).rejects.toMatchObject({
    name: "QuotaExceededError",
    requested: detector.inputQuota + 1,
    quota: detector.inputQuota,
  });
});

it("knows languages in all their forms, and only those", async () => {
  const { pith } = await openScripted();
  configure({ pith });
  const of = (...expectedInputLanguages: string[]) => LanguageDetector.availability({ expectedInputLanguages });
  expect(await LanguageDetector.availability()).toBe("available");
  expect(await of("en", "pt-BR", "zh-Hant-TW")).toBe("available");
  expect(await of("en", "cy")).toBe("unavailable");
  await expect(of("e")).rejects.toThrow(RangeError);
  await expect(LanguageDetector.create({ expectedInputLanguages: ["cy"] })).rejects.toMatchObject({
    name: "NotSupportedError",
  });
  const detector = await LanguageDetector.create({ expectedInputLanguages: ["EN-us", "en-US", "de"] });
  expect(detector.expectedInputLanguages).toEqual(["en-US", "de"]);
  expect(Object.isFrozen(detector.expectedInputLanguages)).toBe(true);
  expect((await LanguageDetector.create({ expectedInputLanguages: [] })).expectedInputLanguages).toBeNull();
});

it("ends with its signals and with destroy", async () => {
  const { pith } = await openScripted();
  configure({ pith });
  const reason = new Error("mine");
  await expect(LanguageDetector.create({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const stop = new AbortController();
  const detector = await LanguageDetector.create();
  const found = detector.detect("a", { signal: stop.signal });
  const measured = detector.measureInputUsage("a", { signal: stop.signal });
  stop.abort(reason);
  await expect(found).rejects.toBe(reason);
  await expect(measured).rejects.toBe(reason);
  const later = detector.detect("a");
  detector.destroy();
  await expect(later).rejects.toMatchObject({ name: "AbortError" });
  await expect(detector.measureInputUsage("a")).rejects.toMatchObject({ name: "AbortError" });
});
