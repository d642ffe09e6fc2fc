// The Language Detector API in a page: without a model, by the worker.

import { resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import type * as BuiltIn from "../../../web/src/built-in/index.ts";

test.use({ withExtension: false });

/** A sentence or two in each language that is known. */
const TEXTS: Readonly<Record<string, string>> = {
  ar: "بنيت الطاحونة على ضفة النهر وهي في الخدمة من ذلك الوقت إلى اليوم",
  da: "Møllen blev bygget ved åen, og den er i brug til den dag i dag.",
  de: "Die Mühle wurde am Fluss gebaut und ist noch in Betrieb.",
  el: "Ο μύλος χτίστηκε δίπλα στο ποτάμι και είναι από τότε σε λειτουργία με το νερό του.",
  en: "The mill was built by the river, and it is still in use.",
  es: "El molino fue construido junto al río y está en uso hasta hoy.",
  fa: "این آسیاب در کنار رود ساخته شد و تا امروز از آن استفاده می شود.",
  fr: "Le moulin est au bord de la rivière et il est en service.",
  he: "הטחנה היתה על הנהר והיא עם כל המים של הכפר, אבל היום לא.",
  hi: "यह चक्की नदी के किनारे पर है और आज भी काम में है।",
  it: "Il mulino è sulla riva del fiume e non si ferma mai per la notte.",
  ja: "水車は川のほとりに建てられた。",
  ko: "방앗간은 강가에 지어졌다",
  nl: "De molen werd bij de rivier gebouwd en is nog in gebruik.",
  pl: "Młyn jest nad rzeką i jest w ruchu do dziś, bo nie ma już go kto naprawić.",
  pt: "O moinho foi feito na margem do rio e não está em uso.",
  ru: "Мельница была построена у реки, и она до сих пор в работе.",
  sv: "Kvarnen är vid ån och den har inte varit ur bruk till i dag.",
  th: "โรงสีสร้างอยู่ริมแม่น้ำ",
  tr: "Değirmen bir nehir için çok eski ve o kadar da büyük bir yapı olarak var.",
  uk: "Млин був біля річки, і він до сьогодні у роботі, бо це не так давно.",
  zh: "这座水车建在河边，至今仍在使用。",
};

test("languages are found, with confidences that sum to one", async ({ page, site }, info) => {
  site.mount("/client/", resolve(ROOT, "web"));
  await page.goto(site.url("/news/"));
  const seen = await page.evaluate(async (texts) => {
    const { install } = (await import(
      /* @vite-ignore */ `${location.origin}/client/dist/built-in/index.js`
    )) as typeof BuiltIn;
    const installed = install({ force: true });
    const { LanguageDetector } = globalThis as unknown as typeof BuiltIn;
    const shares: number[] = [];
    const detector = await LanguageDetector.create({
      expectedInputLanguages: ["en", "DE-at"],
      monitor: (monitor) =>
        monitor.addEventListener("downloadprogress", (event) => shares.push((event as ProgressEvent).loaded)),
    });
    const found = await Promise.all(
      Object.entries(texts).map(async ([language, text]) => ({ language, results: await detector.detect(text) })),
    );
    const available = await LanguageDetector.availability({ expectedInputLanguages: Object.keys(texts) });
    const empty = await detector.detect("");
    const mixed = await detector.detect(`${texts["de"]} ${texts["en"]}`.repeat(20));
    const long = await detector.detect("word ".repeat(150_000));
    const name = (promise: Promise<unknown>): Promise<string> =>
      promise.then(
        () => "fulfilled",
        (error: unknown) => (error as Error).name,
      );
    const tooLong = await name(detector.detect("a".repeat(detector.inputQuota + 1)));
    detector.destroy();
    const ended = await name(detector.detect("a"));
    return {
      installed,
      expected: detector.expectedInputLanguages,
      shares,
      found,
      available,
      empty,
      mixed,
      long,
      tooLong,
      ended,
    };
  }, TEXTS);
  info.annotations.push({
    type: "confidences",
    description: seen.found
      .map(({ language, results }) => `${language} ${results[0]?.confidence.toFixed(3)}`)
      .join(", "),
  });
  expect(seen.installed).toContain("LanguageDetector");
  expect(seen.expected).toEqual(["en", "de-AT"]);
  expect(seen.shares).toEqual([0, 1]);
  expect(seen.available).toBe("available");
  for (const { language, results } of seen.found) {
    expect(results[0]?.detectedLanguage, JSON.stringify(results)).toBe(language);
    expect(results.at(-1)?.detectedLanguage).toBe("und");
    const sum = results.reduce((all, { confidence }) => all + confidence, 0);
    expect(sum).toBeCloseTo(1, 9);
  }
  expect(seen.empty).toEqual([{ detectedLanguage: "und", confidence: 1 }]);
  expect(seen.mixed.map(({ detectedLanguage }) => detectedLanguage)).toEqual(expect.arrayContaining(["de", "en"]));
  expect(seen.long[0]?.detectedLanguage).toBe("und");
  expect(seen.tooLong).toBe("QuotaExceededError");
  expect(seen.ended).toBe("AbortError");
});
