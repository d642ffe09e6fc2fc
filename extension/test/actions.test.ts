import { expect, it } from "vitest";
import { NAME_CHARS_MAX, OWN_MAX, type OwnAction, problemOf, PROMPT_CHARS_MAX, toActions } from "../src/actions.js";

const action = (change: Partial<OwnAction> = {}): OwnAction => ({
  id: "a",
  name: "Counter",
  prompt: "Find the strongest objection to {selection}.",
  digit: null,
  ...change,
});
const many = (count: number): OwnAction[] => Array.from({ length: count }, (_, at) => action({ id: `a${at}` }));

it.each([
  ["nothing", action(), [], null],
  ["a missing name", action({ name: "  " }), [], "nameMissing"],
  ["a long name", action({ name: "n".repeat(NAME_CHARS_MAX + 1) }), [], "nameTooLong"],
  ["a missing instruction", action({ prompt: "\n" }), [], "promptMissing"],
  ["an instruction of 1 MB", action({ prompt: "p".repeat(1_000_000) }), [], "promptTooLong"],
  ["one too many", action(), many(OWN_MAX), "tooMany"],
  ["a shortcut that another one has", action({ digit: "3" }), [action({ id: "b", digit: "3" })], "digitTaken"],
] as const)("finds %s", (_, one, others, problem) => {
  expect(problemOf(one, others)).toBe(problem);
});

it("keeps what is stored and valid, and nothing else", () => {
  const kept = [action(), action({ id: "b", digit: "1" })];
  expect(toActions(kept)).toEqual(kept);
  expect(toActions("none")).toEqual([]);
  expect(
    toActions([null, 7, {}, action({ id: "../a" }), action({ prompt: "p".repeat(PROMPT_CHARS_MAX + 1) })]),
  ).toEqual([]);
  expect(toActions([action(), action()])).toHaveLength(1);
  expect(toActions(many(OWN_MAX + 5))).toHaveLength(OWN_MAX);
  // Of two with one shortcut the first keeps it; others are no digits.
  const digits = toActions([action({ digit: "1" }), action({ id: "b", digit: "1" }), action({ id: "c", digit: "x" })]);
  expect(digits.map(({ digit }) => digit)).toEqual(["1", null, null]);
});
