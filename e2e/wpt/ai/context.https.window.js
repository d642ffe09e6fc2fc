// META: script=/resources/testdriver.js
// META: script=resources/sessions.js

"use strict";

const QUESTION = "Name a color.";

promise_test(async () => {
  const session = await open(LanguageModel);
  assert_equals(session.contextUsage, 0);
  const asked = await session.measureContextUsage(QUESTION);
  assert_greater_than(asked, 0);
  const answer = await session.prompt(QUESTION);
  assert_equals(session.contextUsage, asked + (await session.measureContextUsage(answer)));
}, "A prompt takes its own tokens and those of the answer");

promise_test(async () => {
  const initialPrompts = [
    { role: "system", content: [{ type: "text", value: "Be brief." }] },
    { role: "user", content: "Hello." },
    { role: "assistant", content: "Hello." },
  ];
  const session = await open(LanguageModel, { initialPrompts });
  assert_equals(session.contextUsage, await session.measureContextUsage(initialPrompts));
  const copy = await session.clone();
  assert_equals(copy.contextUsage, session.contextUsage);
  assert_equals(copy.contextWindow, session.contextWindow);
  await copy.append("One more thing.");
  assert_greater_than(copy.contextUsage, session.contextUsage, "a copy goes its own way");
}, "Initial prompts take tokens; a copy has the same context");

promise_test(async () => {
  const session = await open(LanguageModel, { initialPrompts: [{ role: "system", content: "Be brief." }] });
  const start = session.contextUsage;
  const events = [];
  session.addEventListener("contextoverflow", (event) => events.push(event.type));
  session.oncontextoverflow = () => events.push("handler");
  const note = "The river is wide and slow. ".repeat(4);
  const one = await session.measureContextUsage(note);
  for (let sum = start; sum <= session.contextWindow; sum += one) await session.append(note);
  assert_array_equals(events, ["contextoverflow", "handler"]);
  assert_less_than_equal(session.contextUsage, session.contextWindow);
  assert_greater_than_equal(session.contextUsage, start + one, "the first messages and the newest stay");
}, "The oldest turns make room, and an event tells so");

promise_test(async (t) => {
  const session = await open(LanguageModel);
  const long = "word ".repeat(session.contextWindow * 2);
  const cost = await session.measureContextUsage(long);
  await promise_rejects_quotaexceedederror(t, session.prompt(long), cost, session.contextWindow);
  await promise_rejects_quotaexceedederror(t, session.append(long), cost, session.contextWindow);
  const initialPrompts = [{ role: "user", content: long }];
  await promise_rejects_quotaexceedederror(t, open(LanguageModel, { initialPrompts }), cost, session.contextWindow);
  const summarizer = await open(Summarizer);
  const ofSummary = await summarizer.measureInputUsage(long);
  await promise_rejects_quotaexceedederror(t, summarizer.summarize(long), ofSummary, summarizer.inputQuota);
}, "What never fits is refused with its size and the limit");

promise_test(async () => {
  const session = await open(LanguageModel);
  const schema = {
    type: "object",
    properties: { legs: { enum: [2, 4] } },
    required: ["legs"],
    additionalProperties: false,
  };
  const { legs } = JSON.parse(await session.prompt("Invent a pet.", { responseConstraint: schema }));
  assert_in_array(legs, [2, 4]);
  const bare = { responseConstraint: schema, omitResponseConstraintInput: true };
  assert_less_than(
    await session.measureContextUsage("Invent a pet.", bare),
    await session.measureContextUsage("Invent a pet.", { responseConstraint: schema }),
    "the constraint in words takes tokens",
  );
  assert_regexp_match(await session.prompt("Is the sky green?", { responseConstraint: /^(yes|no)$/ }), /^(yes|no)$/);
}, "A constraint holds for the whole answer");

promise_test(async (t) => {
  const session = await open(LanguageModel);
  const circular = {};
  circular.self = circular;
  await promise_rejects_dom(t, "NotSupportedError", session.prompt(QUESTION, { responseConstraint: circular }));
  await promise_rejects_dom(t, "NotSupportedError", session.prompt(QUESTION, { responseConstraint: /a/i }));
}, "A constraint that cannot be met is refused");

promise_test(async () => {
  const session = await open(LanguageModel);
  for (const empty of ["", [], [{ role: "user", content: [] }]]) await session.append(empty);
  await session.append(null);
  assert_equals(typeof (await session.prompt({}, { responseConstraint: /ok/ })), "string");
}, "Empty input is allowed, and other values are written as text");
