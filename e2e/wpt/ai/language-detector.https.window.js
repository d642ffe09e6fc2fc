// META: script=/resources/testdriver.js
// META: script=resources/sessions.js

"use strict";

promise_test(async (t) => {
  const bad = { expectedInputLanguages: ["not a tag"] };
  await promise_rejects_js(t, RangeError, LanguageDetector.availability(bad));
  await promise_rejects_js(t, RangeError, open(LanguageDetector, bad));
  assert_equals(await LanguageDetector.availability({ expectedInputLanguages: ["en-GB", "de"] }), "available");
  assert_equals(await LanguageDetector.availability({ expectedInputLanguages: ["cy"] }), "unavailable");
  await promise_rejects_dom(t, "NotSupportedError", open(LanguageDetector, { expectedInputLanguages: ["cy"] }));
}, "Languages of a detector");

promise_test(async () => {
  const detector = await open(LanguageDetector);
  const texts = ["This is an example sentence.", "Dies ist ein Satz, der als Beispiel dient.", "abc", ""];
  for (const text of texts) {
    const results = await detector.detect(text);
    assert_equals(results.at(-1).detectedLanguage, "und");
    const confidences = results.map(({ confidence }) => confidence);
    assert_approx_equals(
      confidences.reduce((sum, one) => sum + one, 0),
      1,
      1e-9,
    );
    for (const [at, confidence] of confidences.slice(0, -1).entries())
      if (at > 0) assert_less_than_equal(confidence, confidences[at - 1]);
  }
  assert_equals((await detector.detect(texts[0]))[0].detectedLanguage, "en");
  assert_equals((await detector.detect(texts[1]))[0].detectedLanguage, "de");
}, "Results are in order and sum to one");

promise_test(async (t) => {
  const detector = await open(LanguageDetector);
  const error = new Error("mine");
  const stop = new AbortController();
  const pending = [
    detector.detect("a", { signal: stop.signal }),
    detector.measureInputUsage("a", { signal: stop.signal }),
  ];
  stop.abort(error);
  for (const promise of pending) await promise_rejects_exactly(t, error, promise);
  const other = detector.detect("a");
  detector.destroy();
  await promise_rejects_dom(t, "AbortError", other);
  await promise_rejects_dom(t, "AbortError", detector.detect("a"));
}, "Ends of a detector");
