// META: script=/resources/testdriver.js
// META: script=resources/sessions.js

"use strict";

const LONG = "Count from one to one hundred.";
const APIS = [
  ["LanguageModel", (session, signal) => session.prompt(LONG, { signal })],
  ["Summarizer", (session, signal) => session.summarize(LONG, { signal })],
  ["Writer", (session, signal) => session.write(LONG, { signal })],
  ["Rewriter", (session, signal) => session.rewrite(LONG, { signal })],
  ["Translator", (session, signal) => session.translate(LONG, { signal })],
];
const optionsOf = (name) => (name === "Translator" ? { sourceLanguage: "en", targetLanguage: "de" } : {});

for (const [name, work] of APIS) {
  const api = globalThis[name];
  const options = optionsOf(name);

  promise_test(async () => {
    assert_in_array(await api.availability(options), ["downloadable", "downloading", "available"]);
    const session = await open(api, options);
    assert_true(session instanceof api);
    assert_equals(await api.availability(options), "available");
  }, `${name}: availability, then a session`);

  promise_test(async () => {
    const events = [];
    let isCreated = false;
    await open(api, {
      ...options,
      monitor: (monitor) =>
        monitor.addEventListener("downloadprogress", (event) => {
          assert_false(isCreated, "no event follows");
          events.push(event);
        }),
    });
    isCreated = true;
    assert_greater_than_equal(events.length, 2);
    assert_equals(events[0].loaded, 0);
    assert_equals(events.at(-1).loaded, 1);
    let last = -1;
    for (const { loaded, total, lengthComputable } of events) {
      assert_true(lengthComputable);
      assert_equals(total, 1);
      assert_equals((loaded * 65536) % 1, 0);
      assert_greater_than(loaded, last);
      last = loaded;
    }
  }, `${name}: progress from 0 to 1`);

  promise_test(async (t) => {
    const error = new RangeError("mine");
    const monitor = () => {
      throw error;
    };
    await promise_rejects_exactly(t, error, open(api, { ...options, monitor }));
  }, `${name}: what a monitor throws`);

  promise_test(async (t) => {
    for (const reason of [undefined, new Error("mine")]) {
      const check = (promise) =>
        reason ? promise_rejects_exactly(t, reason, promise) : promise_rejects_dom(t, "AbortError", promise);
      const early = new AbortController();
      await test_driver.bless();
      const creating = api.create({ ...options, signal: early.signal });
      early.abort(reason);
      await check(creating);
      await check(api.create({ ...options, signal: early.signal }));
      const session = await open(api, options);
      const controller = new AbortController();
      const pending = work(session, controller.signal);
      controller.abort(reason);
      await check(pending);
      await check(work(session, controller.signal));
    }
  }, `${name}: an abort rejects with its reason`);

  promise_test(async (t) => {
    const session = await open(api, options);
    const pending = work(session);
    session.destroy();
    await promise_rejects_dom(t, "AbortError", pending);
    await promise_rejects_dom(t, "AbortError", work(session));
    const controller = new AbortController();
    const other = await open(api, { ...options, signal: controller.signal });
    const reason = new Error("mine");
    controller.abort(reason);
    await promise_rejects_exactly(t, reason, work(other));
  }, `${name}: destroy, and a late abort of create's signal`);
}

promise_test(async (t) => {
  const session = await open(LanguageModel);
  const controller = new AbortController();
  const stream = session.promptStreaming(LONG, { signal: controller.signal });
  const reason = new Error("mine");
  controller.abort(reason);
  await promise_rejects_exactly(t, reason, stream.pipeTo(new WritableStream()));
  assert_throws_exactly(reason, () => session.promptStreaming(LONG, { signal: controller.signal }));
  await promise_rejects_exactly(t, reason, session.clone({ signal: controller.signal }));
  assert_equals(typeof (await session.prompt("Say yes.", { responseConstraint: /yes/ })), "string", "it goes on");
}, "A stream's abort, and the session afterwards");

promise_test(async () => {
  const summarizer = await open(Summarizer);
  assert_equals(await summarizer.summarize(" "), "");
  const { done } = await summarizer.summarizeStreaming("").getReader().read();
  assert_true(done);
}, "An empty text has an empty summary");
