// META: script=/resources/testdriver.js
// META: script=resources/sessions.js

"use strict";

promise_test(async (t) => {
  const bad = [{ type: "text", languages: ["not a tag"] }];
  await promise_rejects_js(t, RangeError, LanguageModel.availability({ expectedInputs: bad }));
  await promise_rejects_js(t, RangeError, open(LanguageModel, { expectedOutputs: bad }));
  for (const api of [Summarizer, Writer, Rewriter]) {
    await promise_rejects_js(t, RangeError, open(api, { expectedInputLanguages: ["not a tag"] }));
    await promise_rejects_js(t, RangeError, api.availability({ outputLanguage: "not a tag" }));
  }
  const pair = { sourceLanguage: "en", targetLanguage: "not a tag" };
  await promise_rejects_js(t, RangeError, Translator.availability(pair));
  await promise_rejects_js(t, RangeError, open(Translator, pair));
  await promise_rejects_js(t, TypeError, open(Translator, { sourceLanguage: "en" }));
  const translator = await open(Translator, { sourceLanguage: "EN", targetLanguage: "pt-br" });
  assert_array_equals([translator.sourceLanguage, translator.targetLanguage], ["en", "pt-BR"]);
}, "Language tags");

promise_test(async (t) => {
  assert_equals(await LanguageModel.availability({ expectedInputs: [{ type: "image" }] }), "unavailable");
  await promise_rejects_dom(t, "NotSupportedError", open(LanguageModel, { expectedInputs: [{ type: "audio" }] }));
  const unknown = { expectedInputs: [{ type: "text", languages: ["xx"] }] };
  assert_equals(await LanguageModel.availability(unknown), "unavailable");
  await promise_rejects_dom(t, "NotSupportedError", open(LanguageModel, unknown));
  await promise_rejects_js(t, TypeError, open(LanguageModel, { expectedInputs: [{ type: "smell" }] }));
  await promise_rejects_js(t, TypeError, open(LanguageModel, { samplingMode: "wild" }));
  await promise_rejects_js(t, TypeError, open(Summarizer, { type: "poem" }));
  await promise_rejects_js(t, TypeError, open(Writer, { tone: "loud" }));
  await promise_rejects_js(t, TypeError, open(Rewriter, { length: "none" }));
}, "Options that there are not");

promise_test(async (t) => {
  const session = await open(LanguageModel);
  const image = [{ role: "user", content: [{ type: "image", value: new ImageData(1, 1) }] }];
  await promise_rejects_dom(t, "NotSupportedError", session.prompt(image));
  await promise_rejects_js(t, TypeError, session.prompt([{ role: "robot", content: "a" }]));
  await promise_rejects_dom(t, "SyntaxError", session.prompt([{ role: "user", content: "a", prefix: true }]));
  const misplaced = [
    { role: "assistant", content: "a", prefix: true },
    { role: "user", content: "b" },
  ];
  await promise_rejects_dom(t, "SyntaxError", session.prompt(misplaced));
  await session.append("hello");
  await promise_rejects_js(t, TypeError, session.prompt([{ role: "system", content: "Be brief." }]));
  const initialPrompts = [
    { role: "user", content: "a" },
    { role: "system", content: "b" },
  ];
  await promise_rejects_js(t, TypeError, open(LanguageModel, { initialPrompts }));
}, "Messages that are none");

promise_test(async (t) => {
  const tool = { name: "find", description: "Finds things.", inputSchema: { type: "object", properties: {} } };
  const expectedOutputs = [{ type: "tool-call" }];
  const create = (change, more = { expectedOutputs }) =>
    open(LanguageModel, { ...more, tools: [{ ...tool, ...change }] });
  for (const change of [
    { name: "" },
    { description: "" },
    { inputSchema: undefined },
    { inputSchema: {} },
    { inputSchema: { type: "string" } },
    { inputSchema: { type: "object", properties: 1 } },
    { inputSchema: { type: "object", required: "all" } },
  ])
    await promise_rejects_js(t, TypeError, create(change));
  await promise_rejects_js(t, TypeError, create({}, {}), "without the expected output");
  await promise_rejects_js(t, TypeError, open(LanguageModel, { expectedOutputs, tools: [tool, tool] }));
  const error = new Error("mine");
  const inputSchema = {
    get type() {
      throw error;
    },
  };
  await promise_rejects_exactly(t, error, create({ inputSchema }));
  assert_true((await create({})) instanceof LanguageModel);
}, "Declarations of tools");
