// META: script=/resources/testdriver.js
// META: script=resources/sessions.js

"use strict";

// Runs on the echo model, which calls every declared tool with the arguments that stand in its description.
const OPTIONS = {
  expectedInputs: [{ type: "tool-call" }, { type: "tool-response" }],
  expectedOutputs: [{ type: "tool-call" }],
  tools: [
    { name: "find", description: 'Finds things. Args: {"what": "keys"}', inputSchema: { type: "object" } },
    { name: "lose", description: "Loses things. Args: {}", inputSchema: { type: "object" } },
  ],
};
const REQUEST = "<GenerateSimpleToolCalls>Where are they?";
const answerWith = (value) => [{ role: "user", content: [{ type: "tool-response", value }] }];

promise_test(async () => {
  const session = await open(LanguageModel, OPTIONS);
  const parts = await session.prompt(REQUEST);
  assert_array_equals(
    parts.map(({ type }) => type),
    ["text", "tool-call", "tool-call"],
  );
  const [{ value: call }, { value: other }] = parts.slice(1);
  assert_equals(call.name, "find");
  assert_object_equals(call.arguments, { what: "keys" });
  assert_object_equals(other.arguments, {});
  assert_not_equals(call.callID, other.callID);
  const { callID, name } = call;
  const result = [{ type: "text", value: "under the sofa" }];
  const answer = await session.prompt(answerWith(new LanguageModelToolSuccess({ callID, name, result })));
  assert_true(answer.includes("under the sofa"));
  const errorMessage = "no light";
  const failed = await session.prompt(answerWith(new LanguageModelToolError({ callID, name, errorMessage })));
  assert_true(failed.includes("no light"));
}, "Calls, a result and a failure");

promise_test(async () => {
  const session = await (await open(LanguageModel, OPTIONS)).clone();
  const calls = [];
  for await (const chunk of session.promptStreaming(REQUEST))
    if (chunk.type === "tool-call") calls.push(chunk.value.name);
  assert_array_equals(calls, ["find", "lose"]);
}, "Streamed calls, of a copy");

promise_test(async (t) => {
  const session = await open(LanguageModel, OPTIONS);
  const call = (given) => new LanguageModelToolCall({ callID: "1", name: "find", arguments: given });
  await session.append([{ role: "assistant", content: [{ type: "tool-call", value: call() }] }]);
  await promise_rejects_js(
    t,
    TypeError,
    session.append([{ role: "user", content: [{ type: "tool-call", value: call() }] }]),
  );
  const list = [{ role: "assistant", content: [{ type: "tool-call", value: call([]) }] }];
  await promise_rejects_dom(t, "DataError", session.append(list));
  const circular = {};
  circular.self = circular;
  for (const value of [circular, 1n, () => {}, document.body]) {
    const result = [{ type: "object", value }];
    const response = new LanguageModelToolSuccess({ callID: "1", name: "find", result });
    await promise_rejects_dom(t, "DataError", session.prompt(answerWith(response)));
  }
  const picture = new LanguageModelToolSuccess({ callID: "1", name: "find", result: [{ type: "image", value: 1 }] });
  await promise_rejects_dom(t, "NotSupportedError", session.prompt(answerWith(picture)));
  const plain = await open(LanguageModel);
  await promise_rejects_dom(t, "NotSupportedError", plain.prompt(answerWith(picture)), "not among its expected inputs");
}, "Calls and results that are none");
